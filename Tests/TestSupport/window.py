# A text window, on the display that the environment names. Prints its whole text as one line of JSON when it has changed and
# nothing else is to be done, so that a long text is not printed for each of its characters.
# Arguments: the kind, the title, and a folder of its own. Prints "shown" once, "ready" each time that it gets the keyboard, and
# (Qt) "left" when it loses it. With TELL_PREEDIT set, also "preedit" with the words that an input method shows there, which are
# no part of the text. With gtk3, SIGUSR1 gives the focus to a button of the window, and SIGUSR2 gives it back.
import json, os, signal, sys
kind, title, folder = sys.argv[1:4]

# In one write: the threads of a server speak at the same time.
def say(line): os.write(1, (line + '\n').encode())

def say_preedit(words):
    if os.environ.get('TELL_PREEDIT'): say('preedit ' + words)

if kind in ('gtk3', 'gtk4'):
    import gi
    gi.require_version('Gtk', kind[-1] + '.0')
    from gi.repository import GLib, Gtk
    view = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR)
    # In it the window does not grow with the text, until X refuses and GTK 3 ends.
    scrolled = Gtk.ScrolledWindow()
    buffer = view.get_buffer()
    waiting = []
    def tell():
        waiting.clear()
        say(json.dumps(buffer.get_text(*buffer.get_bounds(), True)))
    def changed(_):
        if not waiting: waiting.append(GLib.idle_add(tell, priority=GLib.PRIORITY_LOW))
    buffer.connect('changed', changed)
    view.connect('preedit-changed', lambda _, words: say_preedit(words))
    loop = GLib.MainLoop()
    if kind == 'gtk3':
        window = Gtk.Window(title=title, default_width=700, default_height=300)
        view.connect('focus-in-event', lambda *_: say('ready'))
        scrolled.add(view)
        button = Gtk.Button()
        for number, widget in ((signal.SIGUSR1, button), (signal.SIGUSR2, view)):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, lambda it: it.grab_focus() or True, widget)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.pack_start(scrolled, True, True, 0)
        box.add(button)
        window.add(box)
        view.grab_focus()
        window.show_all()
    else:
        Gtk.init()
        window = Gtk.Window(title=title, default_width=700, default_height=300)
        focus = Gtk.EventControllerFocus()
        focus.connect('enter', lambda _: say('ready'))
        view.add_controller(focus)
        scrolled.set_child(view)
        window.set_child(scrolled)
        window.present()
    say('shown')
    loop.run()
elif kind == 'qt5':
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QApplication, QPlainTextEdit
    app = QApplication(sys.argv[:1])
    class Edit(QPlainTextEdit):
        def focusInEvent(self, event):
            super().focusInEvent(event)
            say('ready')
        def focusOutEvent(self, event):
            super().focusOutEvent(event)
            say('left')
        def inputMethodEvent(self, event):
            super().inputMethodEvent(event)
            say_preedit(event.preeditString())
    edit = Edit()
    edit.setWindowTitle(title)
    timer = QTimer()
    timer.setSingleShot(True)
    # Half a character outside the first plane can be seen between two keys of Qt's own.
    timer.timeout.connect(lambda: say(json.dumps(
        edit.toPlainText().encode('utf-16', 'surrogatepass').decode('utf-16', 'replace'))))
    edit.textChanged.connect(lambda: timer.start(20))
    edit.show()
    say('shown')
    app.exec_()
elif kind == 'chromium':
    import http.server, subprocess, threading
    # Chromium drops keys until it has shown something of the page.
    page = ('<meta charset=utf-8><title>' + title + '</title><p>' + title + '</p><textarea id=t style="width:95%;height:90%">'
        '</textarea><script>const t=document.getElementById("t");'
        'const send=(what)=>fetch("/"+what,{method:"POST",body:t.value});let busy=false,told="";'
        'const tell=async()=>{if(busy)return;busy=true;'
        'while(told!==t.value){told=t.value;await send("text")}busy=false};'
        'const next=(work)=>requestAnimationFrame(()=>requestAnimationFrame(work));'
        'const painted=new Promise((done)=>new PerformanceObserver((list)=>{'
        'if(list.getEntriesByName("first-contentful-paint").length)done()}).observe({type:"paint",buffered:true}));'
        't.oninput=tell;t.onfocus=()=>painted.then(()=>next(()=>send("ready")));window.onfocus=()=>t.focus();t.focus();'
        'send("shown").then(()=>{if(document.hasFocus())t.onfocus()})</script>')
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'
        def answer(self, body=b''):
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.send_header('Content-Type', 'text/html; charset=utf-8')
            self.end_headers()
            self.wfile.write(body)
        def do_GET(self): self.answer(page.encode() if self.path == '/' else b'')
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length'])).decode()
            say(json.dumps(body) if self.path == '/text' else self.path[1:])
            self.answer()
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    native = [] if os.environ.get('DISPLAY') else [
        '--ozone-platform=wayland', '--enable-wayland-ime', '--wayland-text-input-version=3']
    # It leads to no keyring, no update and no window of a first start.
    browser = subprocess.run(
        ['chromium', *native, '--no-sandbox', '--test-type', '--user-data-dir=' + folder, '--no-first-run',
         '--no-default-browser-check', '--disable-gpu', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--password-store=basic',
         '--app=http://127.0.0.1:%d/' % server.server_port],
        stdout=subprocess.DEVNULL, stderr=None if native else subprocess.DEVNULL)
    sys.exit(browser.returncode)
