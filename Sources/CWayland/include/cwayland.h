#pragma once
#include <wayland-client.h>

#include "input-method-unstable-v2-client-protocol.h"
#include "virtual-keyboard-unstable-v1-client-protocol.h"
#include "wlr-data-control-unstable-v1-client-protocol.h"
#include "wlr-foreign-toplevel-management-unstable-v1-client-protocol.h"
#include "wlr-layer-shell-unstable-v1-client-protocol.h"

// The descriptions of interfaces are global variables in C, which Swift's concurrency checks keep out: each is bound here.
static inline struct wl_seat *cwayland_bind_seat(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &wl_seat_interface, version);
}

static inline struct zwp_virtual_keyboard_manager_v1 *cwayland_bind_virtual_keyboards(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &zwp_virtual_keyboard_manager_v1_interface, version);
}

static inline struct zwlr_foreign_toplevel_manager_v1 *cwayland_bind_toplevels(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &zwlr_foreign_toplevel_manager_v1_interface, version);
}

static inline struct zwlr_data_control_manager_v1 *cwayland_bind_data_control(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &zwlr_data_control_manager_v1_interface, version);
}

extern const struct wl_interface cwayland_ext_data_control_manager;

static inline struct zwlr_data_control_manager_v1 *cwayland_bind_ext_data_control(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &cwayland_ext_data_control_manager, version);
}

static inline struct wl_compositor *cwayland_bind_compositor(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &wl_compositor_interface, version);
}

static inline struct wl_shm *cwayland_bind_shm(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &wl_shm_interface, version);
}

static inline struct wl_output *cwayland_bind_output(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &wl_output_interface, version);
}

static inline struct zwlr_layer_shell_v1 *cwayland_bind_layer_shell(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &zwlr_layer_shell_v1_interface, version);
}

static inline struct zwp_input_method_manager_v2 *cwayland_bind_input_methods(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return wl_registry_bind(registry, name, &zwp_input_method_manager_v2_interface, version);
}
