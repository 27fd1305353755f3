#!/usr/bin/python3
"""A text window whose contents are printed: one JSON object a line, at each change, with the monotonic time.

The fields: `time` (seconds of CLOCK_MONOTONIC), `text` (all of it), `focused`. A last line comes on SIGTERM.
"""

import json
import signal
import time

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

STYLE = b"textview { font: 24pt sans-serif; } textview text { background: #fffdf7; color: #1d2430; }"


def main():
    window = Gtk.Window(title="VoiceDictation demo")
    window.set_default_size(1000, 420)
    window.set_position(Gtk.WindowPosition.CENTER)
    view = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD, left_margin=24, right_margin=24, top_margin=20)
    text = view.get_buffer()
    style = Gtk.CssProvider()
    style.load_from_data(STYLE)
    Gtk.StyleContext.add_provider_for_screen(
        Gdk.Screen.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)

    def report(*_):
        now = time.monotonic()
        contents = text.get_text(*text.get_bounds(), True)
        print(json.dumps({"time": now, "text": contents, "focused": window.has_toplevel_focus()}), flush=True)

    def leave(*_):
        report()
        Gtk.main_quit()

    text.connect("changed", report)
    window.connect("notify::has-toplevel-focus", report)
    window.connect("destroy", Gtk.main_quit)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, leave)
    window.add(view)
    window.show_all()
    Gtk.main()


main()
