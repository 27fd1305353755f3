# See InsertSink.swift for the orders that it obeys.
import http.server, json, os, queue, subprocess, sys, threading, time
kind, orders, answers, folder = sys.argv[1:5]
out = open(answers, 'w')
lock = threading.Lock()
state = {'text': '', 'first': None, 'last': None}

def stamp():
    with lock:
        now = time.monotonic_ns()
        if state['first'] is None: state['first'] = now
        state['last'] = now

browser = None

def leave():
    if browser is not None:
        browser.terminate()
        browser.wait()
    os._exit(0)

# The text is fetched on request: a change costs the window only its time.
def obey(clear, fetch):
    for line in open(orders):
        order = line.strip()
        if order == 'quit': leave()
        clear() if order == 'clear' else fetch()
        with lock:
            out.write(json.dumps(state) + '\n')
        out.flush()

def reset(text=''):
    with lock: state.update(text=text, first=None, last=None)

def start(clear, fetch):
    threading.Thread(target=obey, args=(clear, fetch), daemon=True).start()

# Gives what calls a function through `run`, in the window's own thread, and waits for its end.
def within(run):
    def call(work):
        done = threading.Event()
        def finish():
            work()
            done.set()
        run(finish)
        done.wait()
    return call

def ready():
    out.write('ready\n')
    out.flush()

title = 'dictation-bench ' + kind
if kind in ('xterm', 'foot'):
    import tty, codecs
    tty.setraw(0)
    decode = codecs.getincrementaldecoder('utf-8')()
    start(reset, lambda: None)
    ready()
    while True:
        data = os.read(0, 65536)
        if not data: break
        stamp()
        with lock: state['text'] += decode.decode(data).replace('\r', '\n')
elif kind in ('gtk', 'gtk4'):
    import gi
    gi.require_version('Gtk', '3.0' if kind == 'gtk' else '4.0')
    from gi.repository import Gtk, GLib
    if kind == 'gtk4': Gtk.init()
    window = Gtk.Window(title=title)
    window.set_default_size(700, 300)
    view = Gtk.TextView()
    if kind == 'gtk': window.add(view)
    else: window.set_child(view)
    buffer = view.get_buffer()
    buffer.connect('changed', lambda _: stamp())
    inside = within(lambda work: GLib.idle_add(work))
    def clear():
        buffer.set_text('')
        reset()
    def fetch(): state['text'] = buffer.get_text(*buffer.get_bounds(), True)
    start(lambda: inside(clear), lambda: inside(fetch))
    if kind == 'gtk':
        window.connect('map-event', lambda *_: ready())
        window.show_all()
    else:
        window.connect('map', lambda *_: ready())
        window.present()
    GLib.MainLoop().run()
elif kind == 'qt':
    from PyQt5.QtCore import QObject, QTimer, pyqtSignal
    from PyQt5.QtWidgets import QApplication, QPlainTextEdit
    app = QApplication(sys.argv[:1])
    edit = QPlainTextEdit()
    edit.setWindowTitle(title)
    edit.resize(700, 300)
    edit.textChanged.connect(stamp)
    class Caller(QObject):
        asked = pyqtSignal(object)
    caller = Caller()
    caller.asked.connect(lambda work: work())
    inside = within(caller.asked.emit)
    def clear():
        edit.setPlainText('')
        reset()
    def fetch():
        text = edit.toPlainText().encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')
        with lock: state['text'] = text
    start(lambda: inside(clear), lambda: inside(fetch))
    edit.show()
    QTimer.singleShot(200, ready)
    app.exec_()
elif kind == 'chromium':
    page = ('<meta charset=utf-8><title>' + title + '</title><textarea id=t style="width:95%;height:90%">'
        '</textarea><script>const t=document.getElementById("t");let first=null,last=null;'
        't.addEventListener("input",()=>{last=performance.timeOrigin+performance.now();'
        'if(first===null)first=last});window.onfocus=()=>t.focus();t.focus();'
        '(async()=>{let answer="";for(;;){'
        'const order=await(await fetch("/order",{method:"POST",body:answer})).text();'
        'if(order==="clear"){t.value="";first=last=null;t.focus()}'
        'answer=JSON.stringify({text:t.value,first,last})}})()</script>')
    given, taken = queue.Queue(), queue.Queue()
    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, body):
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.send_header('Content-Type', 'text/html; charset=utf-8')
            self.end_headers()
            self.wfile.write(body)
        def do_GET(self): self.answer(page.encode() if self.path == '/' else b'')
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length'])).decode()
            taken.put(json.loads(body)) if body else ready()
            self.answer(given.get().encode())
        def log_message(self, *_): pass
        protocol_version = 'HTTP/1.1'
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    # The page stamps in milliseconds of the wall clock. Once for all: a stamp that changed from one look to the
    # next would be news of a text that is not there.
    between = time.monotonic_ns() - time.time_ns()
    def ask(order):
        given.put(order)
        told = taken.get()
        for key in ('first', 'last'):
            if told[key] is not None: told[key] = int(told[key] * 1e6) + between
        with lock: state.update(told)
    start(lambda: ask('clear'), lambda: ask('get'))
    native = ['--ozone-platform=wayland', '--enable-wayland-ime'] if 'WAYLAND_DISPLAY' in os.environ else []
    browser = subprocess.Popen(
        ['chromium', '--no-sandbox', '--test-type', '--user-data-dir=' + folder, '--no-first-run',
         '--no-default-browser-check', '--disable-gpu', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--password-store=basic', '--window-size=700,400',
         '--app=http://127.0.0.1:%d/' % server.server_port] + native,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server.serve_forever()
