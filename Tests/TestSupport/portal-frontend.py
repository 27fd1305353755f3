"""The shortcuts portal as programs see it, for tests: newer than Debian's, with the registry of programs, and as strict as
GNOME. Keys are given only to a program that has told its name before anything else, and the answers overtake the
replies to the calls, which is allowed.
"""

from gi.repository import Gio, GLib

SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
REGISTRY = "org.freedesktop.host.portal.Registry"
PATH = "/org/freedesktop/portal/desktop"
XML = f"""<node>
<interface name="{REGISTRY}">
  <method name="Register"><arg type="s" direction="in"/><arg type="a{{sv}}" direction="in"/></method>
</interface>
<interface name="{SHORTCUTS}">
  <method name="CreateSession"><arg type="a{{sv}}" direction="in"/><arg type="o" direction="out"/></method>
  <method name="BindShortcuts">
    <arg type="o" direction="in"/><arg type="a(sa{{sv}})" direction="in"/><arg type="s" direction="in"/>
    <arg type="a{{sv}}" direction="in"/><arg type="o" direction="out"/>
  </method>
  <property name="version" type="u" access="read"/>
</interface>
</node>"""

names = {}
callers = set()


def call(bus, sender, path, interface, method, arguments, invocation):
    if method == "Register":
        # Later than another call it is an error.
        if sender not in callers:
            names[sender] = arguments.unpack()[0]
        print("registered", *arguments.unpack(), flush=True)
        invocation.return_value(None)
        return
    callers.add(sender)
    peer = sender[1:].replace(".", "_")
    options = arguments.unpack()[-1]
    if method == "CreateSession":
        code, results = 0, {
            "session_handle": GLib.Variant("s", f"{PATH}/session/{peer}/{options['session_handle_token']}")}
    else:
        code = 0 if Gio.Application.id_is_valid(names.get(sender, "")) else 2
        results = {"shortcuts": GLib.Variant("a(sa{sv})", [
            (name, {"trigger_description": GLib.Variant("s", "Press " + (wanted.get("preferred_trigger") or "nothing"))})
            for name, wanted in arguments.unpack()[1]])}
    request = f"{PATH}/request/{peer}/{options['handle_token']}"
    bus.emit_signal(
        sender, request, "org.freedesktop.portal.Request", "Response", GLib.Variant("(ua{sv})", (code, results)))
    invocation.return_value(GLib.Variant("(o)", (request,)))


def acquired(bus, name):
    for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
        bus.register_object(PATH, interface, call, lambda *_: GLib.Variant("u", 2), None)


Gio.bus_own_name(
    Gio.BusType.SESSION, "org.freedesktop.portal.Desktop", 0, acquired, lambda *_: print("serving", flush=True), None)
GLib.MainLoop().run()
