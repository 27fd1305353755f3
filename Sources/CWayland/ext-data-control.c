#include "cwayland.h"

// ext-data-control-v1 is wlr-data-control under another name: the same objects, and messages with the same numbers and
// arguments. Only this name is ever sent to the compositor, so everything else can be used for both.
extern const struct wl_interface zwlr_data_control_source_v1_interface;
extern const struct wl_interface zwlr_data_control_device_v1_interface;

static const struct wl_interface *source[] = {&zwlr_data_control_source_v1_interface};
static const struct wl_interface *device[] = {&zwlr_data_control_device_v1_interface, &wl_seat_interface};
static const struct wl_message requests[] = {
    {"create_data_source", "n", source},
    {"get_data_device", "no", device},
    {"destroy", "", source},
};

const struct wl_interface cwayland_ext_data_control_manager = {
    "ext_data_control_manager_v1", 1, 3, requests, 0, 0,
};
