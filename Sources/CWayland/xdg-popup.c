#include <wayland-util.h>

// The layer shell's code names this interface for popups of its surfaces. We make none, so the code of xdg-shell, which
// describes it, is not needed.
const struct wl_interface xdg_popup_interface = {"xdg_popup", 1, 0, NULL, 0, NULL};
