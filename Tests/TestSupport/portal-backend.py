"""A desktop's side of the shortcuts portal, for tests: the role of GNOME Shell or KWin behind xdg-desktop-portal.

How it answers the question for keys is its argument: given, keyless (no key is chosen), denied (the user says no),
later (the user thinks about it until "answer" is called), or early (given when the session is made, as KDE before 6.2
does). The interface trial.Desktop tells it what the user does.
"""

import sys

from gi.repository import Gio, GLib

SHORTCUTS = "org.freedesktop.impl.portal.GlobalShortcuts"
SESSION = "org.freedesktop.impl.portal.Session"
PATH = "/org/freedesktop/portal/desktop"
XML = f"""<node>
<interface name="{SHORTCUTS}">
  <method name="CreateSession">
    <arg type="o" direction="in"/><arg type="o" direction="in"/><arg type="s" direction="in"/>
    <arg type="a{{sv}}" direction="in"/><arg type="u" direction="out"/><arg type="a{{sv}}" direction="out"/>
  </method>
  <method name="BindShortcuts">
    <arg type="o" direction="in"/><arg type="o" direction="in"/><arg type="a(sa{{sv}})" direction="in"/>
    <arg type="s" direction="in"/><arg type="a{{sv}}" direction="in"/>
    <arg type="u" direction="out"/><arg type="a{{sv}}" direction="out"/>
  </method>
  <method name="ListShortcuts">
    <arg type="o" direction="in"/><arg type="o" direction="in"/>
    <arg type="u" direction="out"/><arg type="a{{sv}}" direction="out"/>
  </method>
  <signal name="Activated"><arg type="o"/><arg type="s"/><arg type="t"/><arg type="a{{sv}}"/></signal>
  <signal name="Deactivated"><arg type="o"/><arg type="s"/><arg type="t"/><arg type="a{{sv}}"/></signal>
  <signal name="ShortcutsChanged"><arg type="o"/><arg type="a(sa{{sv}})"/></signal>
  <property name="version" type="u" access="read"/>
</interface>
<interface name="{SESSION}">
  <method name="Close"/>
  <signal name="Closed"/>
  <property name="version" type="u" access="read"/>
</interface>
<interface name="trial.Desktop">
  <method name="press"><arg type="s" direction="in"/><arg type="t" direction="in"/></method>
  <method name="release"><arg type="s" direction="in"/><arg type="t" direction="in"/></method>
  <method name="answer"/>
  <method name="change"><arg type="s" direction="in"/></method>
  <method name="close"/>
</interface>
</node>"""

answer = sys.argv[1]
node = Gio.DBusNodeInfo.new_for_xml(XML)
shortcuts_interface, session_interface, trial_interface = node.interfaces
bus = None
session = None
shortcuts = []
waiting = None


def described(description):
    return [
        (name, {"trigger_description": GLib.Variant("s", description(name, options)),
                "description": options["description"]})
        for name, options in shortcuts
    ]


def read(array):
    """Reads the keys that are asked for, with the types of their options."""
    global shortcuts
    shortcuts = []
    for index in range(array.n_children()):
        name, options = (array.get_child_value(index).get_child_value(part) for part in range(2))
        entries = [options.get_child_value(number) for number in range(options.n_children())]
        shortcuts.append((name.unpack(), {
            entry.get_child_value(0).unpack(): entry.get_child_value(1).get_variant() for entry in entries}))


def given(name, options):
    if answer == "keyless" or "preferred_trigger" not in options:
        return ""
    return "Press " + options["preferred_trigger"].unpack()


def bound(invocation):
    results = {"shortcuts": GLib.Variant("a(sa{sv})", described(given))}
    code = 1 if answer == "denied" else 0
    invocation.return_value(GLib.Variant("(ua{sv})", (code, results if code == 0 else {})))


def emit(path, interface, name, *arguments):
    bus.emit_signal(None, path, interface, name, GLib.Variant(*arguments) if arguments else None)


def call(connection, sender, path, interface, method, arguments, invocation):
    global session, waiting, number
    if interface == SESSION:
        print("closed by the program", flush=True)
        connection.unregister_object(number)
        session = None
        invocation.return_value(None)
    elif method == "CreateSession":
        _, session, application, _ = arguments.unpack()
        number = connection.register_object(session, session_interface, call, get, None)
        print("session", session, "of", repr(application), flush=True)
        Gio.bus_watch_name_on_connection(connection, sender, 0, None, vanished)
        results = {}
        if answer == "early":
            read(arguments.get_child_value(3).lookup_value("shortcuts", None))
            results["shortcuts"] = GLib.Variant("a(sa{sv})", described(given))
        invocation.return_value(GLib.Variant("(ua{sv})", (0, results)))
    elif method == "BindShortcuts":
        read(arguments.get_child_value(2))
        print("asked", arguments.unpack()[2], flush=True)
        if answer == "later":
            waiting = invocation
        else:
            bound(invocation)
    elif method == "ListShortcuts":
        invocation.return_value(GLib.Variant("(ua{sv})", (0, {})))
    elif interface == "trial.Desktop":
        if method == "press":
            emit(PATH, SHORTCUTS, "Activated", "(osta{sv})", (session, *arguments.unpack(), {}))
        elif method == "release":
            emit(PATH, SHORTCUTS, "Deactivated", "(osta{sv})", (session, *arguments.unpack(), {}))
        elif method == "answer":
            bound(waiting)
        elif method == "change":
            trigger = arguments.unpack()[0]
            emit(PATH, SHORTCUTS, "ShortcutsChanged", "(oa(sa{sv}))", (session, described(lambda *_: trigger)))
        elif method == "close":
            emit(session, SESSION, "Closed")
            connection.unregister_object(number)
        invocation.return_value(None)


def vanished(connection, name):
    """The portal has ended, and with it what it was asked for."""
    connection.unregister_object(number)


def get(connection, sender, path, interface, name):
    return GLib.Variant("u", 1)


def acquired(connection, name):
    global bus
    bus = connection
    bus.register_object(PATH, shortcuts_interface, call, get, None)
    bus.register_object("/trial", trial_interface, call, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION, "org.freedesktop.impl.portal.desktop.trial", 0, acquired,
    lambda *_: print("serving", flush=True), None)
GLib.MainLoop().run()
