# Prints its window and its whole text as one JSON object a line: at the start and on each change. The text view of GTK adds the
# words that an input method shows there, which are no part of the text.
# Arguments: the kind, the title, and for a browser a folder of its own.
import http.server, json, os, subprocess, sys, threading

kind, title = sys.argv[1:3]

# In one write: the threads of a server speak at the same time.
def say(window, text, process, preedit=""):
    os.write(1, (json.dumps({"window": window, "text": text, "process": process, "preedit": preedit}) + "\n").encode())

def run_gtk():
    import gi
    gi.require_version("Gtk", "3.0")
    gi.require_version("Gdk", "3.0")
    gi.require_version("GdkX11", "3.0")
    from gi.repository import Gdk, Gtk, GdkX11
    if kind == "gedit":
        gi.require_version("GtkSource", "4")
        from gi.repository import GtkSource
        Gdk.set_program_class("Gedit")
        view = GtkSource.View(auto_indent=True)
    else:
        view = Gtk.TextView() if kind == "gtkText" else Gtk.Entry()
    content = view
    if kind != "gtkEntry":
        view.set_wrap_mode(Gtk.WrapMode.WORD_CHAR)
        # In it the window does not grow with the text, until X refuses and GTK 3 ends.
        content = Gtk.ScrolledWindow()
        content.add(view)
    window = Gtk.Window(title=title)
    window.set_default_size(700, 60 if kind == "gtkEntry" else 300)
    source = view if kind == "gtkEntry" else view.get_buffer()

    preedit = [""]

    def report(*_):
        text = view.get_text() if kind == "gtkEntry" else source.get_text(*source.get_bounds(), True)
        say(window.get_window().get_xid(), text, os.getpid(), preedit[0])

    def show(_, words):
        preedit[0] = words
        report()

    if kind == "gtkText":
        view.connect("preedit-changed", show)
    window.add(content)
    window.connect("destroy", Gtk.main_quit)
    window.connect("map-event", report)
    source.connect("changed", report)
    window.show_all()
    Gtk.main()

def run_qt():
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QApplication, QPlainTextEdit
    app = QApplication(sys.argv[:1])
    edit = QPlainTextEdit()
    edit.setWindowTitle(title)
    edit.resize(700, 300)

    def report():
        # Qt inserts a character outside the first plane in two halves.
        text = edit.toPlainText().encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        say(int(edit.winId()), text, os.getpid())

    # When nothing else is to be done: a long text is not printed for each of its characters.
    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(report)
    edit.textChanged.connect(lambda: timer.start(5))
    edit.show()
    timer.start(0)
    app.exec_()

def run_chromium():
    # Chromium drops keys until it has shown something of the page.
    page = ("<meta charset=utf-8><title>" + title + "</title><p>" + title + "</p>"
        "<textarea id=t style='width:95%;height:90%'></textarea>"
        "<script>const t=document.getElementById('t');let busy=false,told=null;"
        "const tell=async()=>{if(busy)return;busy=true;try{while(told!==t.value){const now=t.value;"
        "await fetch('/',{method:'POST',body:now});told=now}}"
        # A busy browser now and then fails to ask its own server.
        "catch{setTimeout(tell,100)}finally{busy=false}};"
        "const next=(work)=>requestAnimationFrame(()=>requestAnimationFrame(work));"
        "t.oninput=tell;window.onfocus=()=>t.focus();t.focus();"
        "new PerformanceObserver((list)=>{if(list.getEntriesByName('first-contentful-paint').length)next(tell)})"
        ".observe({type:'paint',buffered:true})</script>")
    found = threading.Event()
    window = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, body=b""):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.answer(page.encode() if self.path == "/" else b"")

        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            found.wait()
            say(window[0], text, browser.pid)
            self.answer()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    browser = subprocess.Popen(
        ["chromium", "--no-sandbox", "--test-type", "--user-data-dir=" + sys.argv[3], "--no-first-run",
         "--no-default-browser-check", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--password-store=basic", "--window-size=700,400",
         "--app=http://127.0.0.1:%d/" % server.server_port],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def find():
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^" + title + "$"]
        # A window that goes away while xdotool looks at it ends the search.
        while not (names := subprocess.run(search, stdout=subprocess.PIPE).stdout.split()):
            pass
        window.append(int(names[0]))
        found.set()

    threading.Thread(target=find, daemon=True).start()
    server.serve_forever()

{"qtText": run_qt, "chromium": run_chromium}.get(kind, run_gtk)()
