# A native Wayland window with one text field. Prints "ready" when the field gets the keyboard, and its whole text as a line of
# JSON when it has changed.
# Arguments: the toolkit (gtk3, gtk4, qt5), the field (view, line, full: a line with room for 5 characters, locked: a view that
# cannot be edited, password, with gtk3 terminal: it shows its keys, and with gtk4 hanging: a view that stops while it takes its
# third text, and closing: one that puts ")" after a text with "("), and the title.
import json, os, signal, sys

toolkit, field, title = sys.argv[1:4]
ROOM = 5


def say(line): print(line, flush=True)


if toolkit == 'qt5':
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
    app = QApplication(sys.argv[:1])
    Base = QPlainTextEdit if field in ('view', 'locked') else QLineEdit

    class Edit(Base):
        def focusInEvent(self, event):
            super().focusInEvent(event)
            say('ready')

    edit = Edit()
    edit.setWindowTitle(title)
    edit.setReadOnly(field == 'locked')
    if field == 'full': edit.setMaxLength(ROOM)
    if field == 'password': edit.setEchoMode(QLineEdit.Password)
    text = edit.toPlainText if Base is QPlainTextEdit else edit.text
    edit.textChanged.connect(lambda: say(json.dumps(text())))
    edit.selectionChanged.connect(lambda: say('selected'))
    edit.show()
    app.exec_()
else:
    import gi
    gi.require_version('Gtk', toolkit[-1] + '.0')
    from gi.repository import GLib, Gtk
    if field == 'terminal':
        gi.require_version('Vte', '2.91')
        from gi.repository import Vte
        widget = source = Vte.Terminal()
        keys = []
        text = lambda: ''.join(keys)

        def typed(_, text, size):
            keys.append(text)
            widget.feed(text.encode())
            say(json.dumps(''.join(keys)))
        widget.connect('commit', typed)
    elif field in ('view', 'locked', 'hanging', 'closing'):
        # Without wrapping, the window would grow with its line until GTK 3 ends.
        widget = Gtk.TextView(editable=field != 'locked', wrap_mode=Gtk.WrapMode.WORD_CHAR)
        source = widget.get_buffer()
        source.connect('notify::has-selection', lambda *_: say('selected'))
        text = lambda: source.get_text(*source.get_bounds(), True)
        texts = []

        def taking(*_):
            texts.append(1)
            if field == 'hanging' and len(texts) == 3: os.kill(os.getpid(), signal.SIGSTOP)

        def taken(_, place, added, *__):
            if field == 'closing' and '(' in added: source.insert(place, ')')
        source.connect('insert-text', taking)
        source.connect_after('insert-text', taken)
    else:
        widget = source = Gtk.Entry(max_length=ROOM if field == 'full' else 0, visibility=field != 'password')
        if field == 'password': widget.set_input_purpose(Gtk.InputPurpose.PASSWORD)
        text = source.get_text
    if field != 'terminal': source.connect('changed', lambda _: say(json.dumps(text())))
    if toolkit == 'gtk3':
        widget.connect('focus-in-event', lambda *_: say('ready'))
        window = Gtk.Window(title=title)
        window.add(widget)
        window.show_all()
    else:
        Gtk.init()
        focus = Gtk.EventControllerFocus()
        focus.connect('enter', lambda _: say('ready'))
        widget.add_controller(focus)
        window = Gtk.Window(title=title)
        window.set_child(widget)
        window.present()
    GLib.MainLoop().run()
