#include <X11/Xlib.h>
#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <X11/extensions/XI2.h>
#include <X11/extensions/XInput.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/XTest.h>
#include <xkbcommon/xkbcommon.h>

// The bits of an identifier that a client counts with; the others name the client. Part of the structure that Xlib's
// own macros read (Xlibint.h calls it resource_mask).
static inline XID cx11_resource_mask(Display *display) { return ((_XPrivDisplay)display)->private4; }
