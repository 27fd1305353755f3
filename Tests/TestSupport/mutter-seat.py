"""The user of a GNOME desktop without a screen, for tests: presses keys by mutter's own RemoteDesktop, and sees by the
accessibility bus which window has the focus, which it prints ("active TITLE"), and confirms when asked ("expect").

A seat without a keyboard gives no window the focus, and its first key is lost. Accessibility is turned on, as a desktop's settings do.
"""

import sys

from gi.repository import Gio, GLib

MUTTER = "org.gnome.Mutter.RemoteDesktop"
ACCESSIBLE = "org.a11y.atspi.Accessible"
PROPERTIES = "org.freedesktop.DBus.Properties"
REGISTRY = "org.a11y.atspi.Registry"
XML = """<node><interface name="trial.Seat">
  <method name="press"><arg type="u" direction="in"/></method>
  <method name="release"><arg type="u" direction="in"/></method>
  <method name="expect"><arg type="s" direction="in"/></method>
</interface></node>"""

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(connection, service, path, interface, method, arguments=None):
    return connection.call_sync(service, path, interface, method, arguments, None, 0, 5000, None).unpack()


def wait_for(name):
    """Waits until a program has a name on the bus: mutter takes its own after it has printed that its display is there."""
    loop = GLib.MainLoop()
    watch = Gio.bus_watch_name_on_connection(bus, name, Gio.BusNameWatcherFlags.NONE, lambda *_: loop.quit(), None)
    loop.run()
    Gio.bus_unwatch_name(watch)


def make_keyboard():
    path, = call(bus, MUTTER, "/org/gnome/Mutter/RemoteDesktop", MUTTER, "CreateSession")
    call(bus, MUTTER, path, MUTTER + ".Session", "Start")
    return path


def key(keysym, is_down):
    call(bus, MUTTER, session, MUTTER + ".Session", "NotifyKeyboardKeysym", GLib.Variant("(ub)", (keysym, is_down)))


def join():
    call(bus, "org.a11y.Bus", "/org/a11y/bus", PROPERTIES, "Set",
         GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True))))
    address, = call(bus, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    flags = Gio.DBusConnectionFlags
    return Gio.DBusConnection.new_for_address_sync(
        address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)


def has_focused_part(window):
    """GTK 3 shows the window's focus some milliseconds before that of its part. It alone can be asked so."""
    rule = ([1 << 12, 0], 1, {}, 1, [0, 0, 0, 0], 1, [], 1, False)
    try:
        return bool(call(accessibility, *window, "org.a11y.atspi.Collection", "GetMatches",
                         GLib.Variant("((aiia{ss}iaiiasib)uib)", (rule, 1, 0, True)))[0])
    except GLib.Error:
        return True


def active_titles():
    def children(owner, path):
        return call(accessibility, owner, path, ACCESSIBLE, "GetChildren")[0]

    for program in children(REGISTRY, "/org/a11y/atspi/accessible/root"):
        try:
            for window in children(*program):
                if call(accessibility, *window, ACCESSIBLE, "GetState")[0][0] & 1 << 1 and has_focused_part(window):
                    yield call(accessibility, *window, PROPERTIES, "Get",
                               GLib.Variant("(ss)", (ACCESSIBLE, "Name")))[0]
        except GLib.Error:
            pass  # It has ended in the meantime, or does not answer.


told = None
is_due = False


def look():
    global told, is_due
    is_due = False
    titles = sorted(active_titles())
    if titles != told:
        told = titles
        print("active", " ".join(titles), flush=True)
    return False


def happened(*_):
    global is_due
    if not is_due:
        is_due = True
        GLib.idle_add(look)


def served(connection, sender, path, interface, method, arguments, invocation):
    argument, = arguments.unpack()
    if method == "expect":
        if told != [argument]:
            return invocation.return_dbus_error("trial.Seat.Other", " ".join(told or []))
    else:
        key(argument, method == "press")
    invocation.return_value(None)


wait_for(MUTTER)
session = make_keyboard()
SHIFT = 0xFFE1
key(SHIFT, True)
key(SHIFT, False)
accessibility = join()
for event in ("window:activate", "window:deactivate", "object:state-changed:active", "object:state-changed:focused",
              "object:children-changed"):
    call(accessibility, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "RegisterEvent",
         GLib.Variant("(sass)", (event, [], "")))
for name in ("org.a11y.atspi.Event.Window", "org.a11y.atspi.Event.Object"):
    accessibility.signal_subscribe(None, name, None, None, None, 0, happened)
bus.register_object("/trial/seat", Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], served, None, None)
Gio.bus_own_name_on_connection(bus, "trial.Seat", 0, lambda *_: print("serving", flush=True), None)
GLib.MainLoop().run()
