/// The windows that a text is inserted into: small programs that keep what arrives, and when.
///
/// Each obeys its standard input, or a named pipe where that is a terminal: `clear` empties it, `get` has it write one
/// line of JSON with the text and the times (CLOCK_MONOTONIC, in ns) of the first and the last change.
enum InsertSink: String, CaseIterable, Sendable {
    case xterm
    case gtk
    case qt
    case chromium

    /// What must be there for it; nil if all is.
    func missing() -> String? {
        switch self {
        case .xterm: Tool.path("xterm") == nil ? "xterm" : nil
        case .gtk:
            Tool.runs("/usr/bin/python3", ["-c", "import gi; gi.require_version('Gtk','3.0')"])
                ? nil : "gir1.2-gtk-3.0"
        case .qt: Tool.runs("/usr/bin/python3", ["-c", "import PyQt5.QtWidgets"]) ? nil : "python3-pyqt5"
        case .chromium: Tool.path("chromium") == nil ? "chromium" : nil
        }
    }

    /// The selection that Shift+Insert pastes there.
    var selection: String { self == .xterm ? "primary" : "clipboard" }

    /// - Parameters: the script's path, the pipes for orders and answers, a folder of its own.
    func command(script: String, orders: String, answers: String, folder: String) -> [String] {
        let program = ["/usr/bin/python3", "-u", script, rawValue, orders, answers, folder]
        return self == .xterm ? ["xterm", "-u8", "-T", title, "-e"] + program : program
    }

    var title: String { "dictation-bench \(rawValue)" }

    static let script = """
        import http.server, json, os, subprocess, sys, threading, time
        kind, orders, answers, folder = sys.argv[1:5]
        out = open(answers, 'w')
        lock = threading.Lock()
        state = {'text': '', 'first': None, 'last': None}

        def change(text):
            with lock:
                now = time.monotonic_ns()
                state['text'] = text
                if state['first'] is None: state['first'] = now
                state['last'] = now

        def obey(clear):
            for line in open(orders):
                if line.strip() == 'clear': clear()
                if line.strip() == 'quit': os._exit(0)
                with lock:
                    out.write(json.dumps(state) + '\\n')
                out.flush()

        def reset(text=''):
            with lock: state.update(text=text, first=None, last=None)

        def start(clear):
            threading.Thread(target=obey, args=(clear,), daemon=True).start()

        def ready():
            out.write('ready\\n')
            out.flush()

        title = 'dictation-bench ' + kind
        if kind == 'xterm':
            import tty, codecs
            tty.setraw(0)
            decode = codecs.getincrementaldecoder('utf-8')()
            start(reset)
            ready()
            while True:
                data = os.read(0, 65536)
                if not data: break
                change(state['text'] + decode.decode(data).replace('\\r', '\\n'))
        elif kind == 'gtk':
            import gi
            gi.require_version('Gtk', '3.0')
            from gi.repository import Gtk, GLib
            window = Gtk.Window(title=title)
            window.set_default_size(700, 300)
            view = Gtk.TextView()
            window.add(view)
            buffer = view.get_buffer()
            buffer.connect('changed', lambda b: change(b.get_text(*b.get_bounds(), True)))
            def clear():
                done = threading.Event()
                def work():
                    buffer.set_text('')
                    reset()
                    done.set()
                GLib.idle_add(work)
                done.wait()
            start(clear)
            window.show_all()
            window.connect('map-event', lambda *_: ready())
            Gtk.main()
        elif kind == 'qt':
            from PyQt5.QtCore import QObject, QTimer, pyqtSignal
            from PyQt5.QtWidgets import QApplication, QPlainTextEdit
            app = QApplication(sys.argv[:1])
            edit = QPlainTextEdit()
            edit.setWindowTitle(title)
            edit.resize(700, 300)
            edit.textChanged.connect(
                lambda: change(edit.toPlainText().encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')))
            class Clearer(QObject):
                asked = pyqtSignal(object)
            clearer = Clearer()
            def work(done):
                edit.setPlainText('')
                reset()
                done.set()
            clearer.asked.connect(work)
            def clear():
                done = threading.Event()
                clearer.asked.emit(done)
                done.wait()
            start(clear)
            edit.show()
            QTimer.singleShot(200, ready)
            app.exec_()
        elif kind == 'chromium':
            page = ('<meta charset=utf-8><title>' + title + '</title><textarea id=t style="width:95%;height:90%">'
                '</textarea><script>const t=document.getElementById("t");t.focus();let n=0;'
                'const send=()=>fetch("/text?"+(++n),{method:"POST",body:t.value});t.addEventListener("input",send);'
                'window.onfocus=()=>t.focus();'
                'const wait=async()=>{for(;;){await fetch("/clear");t.value="";t.focus();await fetch("/cleared")}};'
                'wait();fetch("/ready")</script>')
            asked, cleared = threading.Semaphore(0), threading.Semaphore(0)
            newest = [0]
            class Handler(http.server.BaseHTTPRequestHandler):
                def answer(self, body=b''):
                    self.send_response(200)
                    self.send_header('Content-Length', str(len(body)))
                    self.send_header('Content-Type', 'text/html; charset=utf-8')
                    self.end_headers()
                    self.wfile.write(body)
                def do_GET(self):
                    if self.path == '/clear': asked.acquire()
                    if self.path == '/cleared':
                        reset()
                        cleared.release()
                    if self.path == '/ready': ready()
                    self.answer(page.encode() if self.path == '/' else b'')
                def do_POST(self):
                    text = self.rfile.read(int(self.headers['Content-Length'])).decode()
                    number = int(self.path.split('?')[1])
                    # Posts may overtake each other.
                    if number > newest[0]:
                        newest[0] = number
                        change(text)
                    self.answer()
                def log_message(self, *_): pass
                protocol_version = 'HTTP/1.1'
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            def clear():
                asked.release()
                cleared.acquire()
            start(clear)
            browser = subprocess.Popen(
                ['chromium', '--no-sandbox', '--test-type', '--user-data-dir=' + folder, '--no-first-run',
                 '--no-default-browser-check', '--disable-gpu', '--disable-background-networking',
                 '--disable-component-update', '--disable-sync', '--password-store=basic', '--window-size=700,400',
                 '--app=http://127.0.0.1:%d/' % server.server_port],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            server.serve_forever()

        """
}
