#include <X11/Xlib.h>
#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <X11/extensions/XI2.h>
#include <X11/extensions/XInput.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/XTest.h>
#include <X11/extensions/record.h>
#include <stdlib.h>
#include <xcb/randr.h>
#include <xcb/shape.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xfixes.h>
#include <xkbcommon/xkbcommon.h>

// The bits of an identifier that a client counts with; the others name the client. Part of the structure that Xlib's
// own macros read (Xlibint.h calls it resource_mask).
static inline XID cx11_resource_mask(Display *display) { return ((_XPrivDisplay)display)->private4; }

// As Xlib-xcb.h has it, whose package is needed for nothing else: the connection below Xlib's, for requests whose answers
// are not waited for at once.
xcb_connection_t *XGetXCBConnection(Display *display);

// While xcb writes, Xlib has no room in its buffer for requests, and takes it back before its next one. On a connection
// that is lost it cannot, and would write through a null pointer. So the end of the buffer is kept, and given back then: what
// is written there goes nowhere. The same structure as above has them: buffer, bufptr, bufmax.
static inline char *cx11_buffer_end(Display *display) { return ((_XPrivDisplay)display)->private14; }
static inline void cx11_reset_buffer(Display *display, char *end) {
    ((_XPrivDisplay)display)->private13 = ((_XPrivDisplay)display)->private12;
    ((_XPrivDisplay)display)->private14 = end;
}

// Sends a request of an extension, laid out as the protocol has it; xcb itself fills in the length. An error of one that
// has no reply comes as an event.
static inline unsigned int cx11_send_request(
    xcb_connection_t *connection, void *request, size_t bytes, int has_reply) {
    // xcb keeps the first two parts for itself.
    struct iovec parts[3] = {{NULL, 0}, {NULL, 0}, {request, bytes}};
    xcb_protocol_request_t description = {1, NULL, *(uint8_t *)request, !has_reply};
    return xcb_send_request(connection, has_reply ? XCB_REQUEST_CHECKED : 0, parts + 2, &description);
}

// The type of an event, without the bit that marks those sent by other clients.
static inline uint8_t cx11_event_type(const xcb_generic_event_t *event) { return event->response_type & 0x7f; }
