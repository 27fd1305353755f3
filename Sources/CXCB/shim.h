#include <stdlib.h>
#include <xcb/randr.h>
#include <xcb/shape.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

// Swift takes no unions with bit patterns of their own: what an event is, and what it holds.
static inline uint8_t cxcb_event_type(const xcb_generic_event_t *event) { return event->response_type & 0x7f; }
