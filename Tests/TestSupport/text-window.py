# Prints its window and its whole text as one JSON object a line: at the start and on each change.
import json, sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, Gtk, GdkX11

kind, title = sys.argv[1:]
if kind == "gedit":
    gi.require_version("GtkSource", "4")
    from gi.repository import GtkSource
    Gdk.set_program_class("Gedit")
    view = GtkSource.View(auto_indent=True)
else:
    view = Gtk.TextView() if kind == "gtkText" else Gtk.Entry()
window = Gtk.Window(title=title)
window.set_default_size(700, 60 if kind == "gtkEntry" else 300)
source = view if kind == "gtkEntry" else view.get_buffer()

def report(*_):
    text = view.get_text() if kind == "gtkEntry" else source.get_text(*source.get_bounds(), True)
    print(json.dumps({"window": window.get_window().get_xid(), "text": text}), flush=True)

window.add(view)
window.connect("destroy", Gtk.main_quit)
window.connect("map-event", report)
source.connect("changed", report)
window.show_all()
Gtk.main()
