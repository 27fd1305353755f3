# A text window, on the display that the environment names. Arguments: the kind, the title, and a folder of its own.
# Prints, a line each:
# - "window" once, on X11, with the number of its X window and of the process that reads its events;
# - "shown" once, "ready" each time that it gets the keyboard, and (Qt) "left" when it loses it;
# - its whole text as JSON when it has changed and nothing else is to be done, so that a long text is not printed for each of its
#   characters;
# - with TELL_PREEDIT set, "preedit" and the words that an input method shows there, which are no part of the text.
# With gtk3, SIGUSR1 takes the focus from the text, but not from its window, and SIGUSR2 gives it back.
import json, os, signal, sys
kind, title, folder = sys.argv[1:4]

# In one write: the threads of a server speak at the same time.
def say(line): os.write(1, (line + '\n').encode())

def say_preedit(words):
    if os.environ.get('TELL_PREEDIT'): say('preedit ' + words)

def say_window(window, process=os.getpid()): say('window %d %d' % (window, process))

if kind.startswith('gtk'):
    # GTK 4 would draw with OpenGL, which a display without a graphics card computes by a compiler of its own.
    os.environ.setdefault('GSK_RENDERER', 'cairo')
    import gi
    version = kind[3] + '.0'
    gi.require_version('Gtk', version)
    from gi.repository import GLib, Gtk
    if kind == 'gtk3-line':
        view = content = source = Gtk.Entry()
        text = view.get_text
    else:
        if kind == 'gtk3-gedit':
            gi.require_version('GtkSource', '4')
            from gi.repository import Gdk, GtkSource
            Gdk.set_program_class('Gedit')
            view = GtkSource.View(auto_indent=True)
        else:
            view = Gtk.TextView()
        view.set_wrap_mode(Gtk.WrapMode.WORD_CHAR)
        # In it the window does not grow with the text, until X refuses and GTK 3 ends.
        content = Gtk.ScrolledWindow()
        source = view.get_buffer()
        text = lambda: source.get_text(*source.get_bounds(), True)
        view.connect('preedit-changed', lambda _, words: say_preedit(words))
    waiting = []
    def tell():
        waiting.clear()
        say(json.dumps(text()))
    def changed(_):
        if not waiting: waiting.append(GLib.idle_add(tell, priority=GLib.PRIORITY_LOW))
    source.connect('changed', changed)
    loop = GLib.MainLoop()
    window = Gtk.Window(title=title, default_width=700, default_height=60 if view is content else 300)
    if version == '3.0':
        view.connect('focus-in-event', lambda *_: say('ready'))
        for number, widget in ((signal.SIGUSR1, None), (signal.SIGUSR2, view)):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, lambda it: window.set_focus(it) or True, widget)
        if content is not view: content.add(view)
        window.add(content)
        if os.environ.get('DISPLAY'):
            gi.require_version('GdkX11', '3.0')
            from gi.repository import GdkX11
            window.realize()
            say_window(window.get_window().get_xid())
        window.show_all()
    else:
        focus = Gtk.EventControllerFocus()
        focus.connect('enter', lambda _: say('ready'))
        view.add_controller(focus)
        content.set_child(view)
        window.set_child(content)
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
    edit.resize(700, 300)
    timer = QTimer()
    timer.setSingleShot(True)
    # Half a character outside the first plane can be seen between two keys of Qt's own.
    timer.timeout.connect(lambda: say(json.dumps(
        edit.toPlainText().encode('utf-16', 'surrogatepass').decode('utf-16', 'replace'))))
    edit.textChanged.connect(lambda: timer.start(20))
    if app.platformName() == 'xcb': say_window(edit.winId())
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
        'try{while(told!==t.value){const now=t.value;await send("text");told=now}}'
        # A busy browser now and then fails to ask its own server.
        'catch{setTimeout(tell,100)}finally{busy=false}};'
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
    browser = subprocess.Popen(
        ['chromium', *native, '--no-sandbox', '--test-type', '--user-data-dir=' + folder, '--no-first-run',
         '--no-default-browser-check', '--disable-gpu', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--password-store=basic', '--window-size=700,400',
         '--app=http://127.0.0.1:%d/' % server.server_port],
        stdout=subprocess.DEVNULL, stderr=None if native else subprocess.DEVNULL)
    def find():
        search = ['xdotool', 'search', '--sync', '--onlyvisible', '--name', '^' + title + '$']
        # A window that goes away while xdotool looks at it ends the search.
        while not (found := subprocess.run(search, stdout=subprocess.PIPE).stdout.split()): pass
        say_window(int(found[0]), browser.pid)
    if not native: threading.Thread(target=find, daemon=True).start()
    sys.exit(browser.wait())
