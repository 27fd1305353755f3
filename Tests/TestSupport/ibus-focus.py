"""Prints which text field has the focus in IBus: at the start, and whenever that may have changed.

    ibus-focus.py ADDRESS

IBus tells nobody. But its bus shows to whoever asks what applications tell IBus.
"""

import sys

from gi.repository import Gio, GLib

SERVICE, PATH = "org.freedesktop.IBus", "/org/freedesktop/IBus"
bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)


def tell():
    def answered(_, result):
        try:
            print("focus", bus.call_finish(result).unpack()[0], flush=True)
        except GLib.Error as error:
            print("no focus:", error.message, flush=True)

    # IBus carries out one message after another: it answers when it has handled what was seen.
    bus.call(
        SERVICE, PATH, "org.freedesktop.DBus.Properties", "Get",
        GLib.Variant("(ss)", (SERVICE, "CurrentInputContext")), None, Gio.DBusCallFlags.NONE, -1, None, answered)
    return GLib.SOURCE_REMOVE


def seen(_, message, is_incoming):
    # In a thread of the bus's own. No call of another's is to be answered here.
    if is_incoming and message.get_message_type() == Gio.DBusMessageType.METHOD_CALL:
        GLib.idle_add(tell)
        return None
    return message


bus.add_filter(seen)
for member in ("FocusIn", "FocusOut", "Destroy"):
    rule = f"type='method_call',destination='{SERVICE}',member='{member}'"
    bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
        GLib.Variant("(s)", (rule,)), None, Gio.DBusCallFlags.NONE, -1, None)
tell()
GLib.MainLoop().run()
