# The windows of `Sink` that are not a terminal. They print their whole text as one line of JSON when it has changed and
# nothing else is to be done, so that a long text is not printed for each of its characters.
# Arguments: the kind, the title, and a folder of its own. Prints "ready", then "focused" at each focus.
import json, os, sys
kind, title, folder = sys.argv[1:4]

# In one write: the threads of a server speak at the same time.
def say(line): os.write(1, (line + '\n').encode())

if kind == 'gtk':
    import gi
    gi.require_version('Gtk', '3.0')
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title=title)
    view = Gtk.TextView()
    window.add(view)
    buffer = view.get_buffer()
    waiting = []
    def tell():
        waiting.clear()
        say(json.dumps(buffer.get_text(*buffer.get_bounds(), True)))
    def changed(_):
        if not waiting: waiting.append(GLib.idle_add(tell, priority=GLib.PRIORITY_LOW))
    buffer.connect('changed', changed)
    view.connect('focus-in-event', lambda *_: say('focused') or False)
    window.show_all()
    say('ready')
    Gtk.main()
elif kind == 'qt':
    from PyQt5.QtCore import QEvent, QTimer
    from PyQt5.QtWidgets import QApplication, QPlainTextEdit
    app = QApplication(sys.argv[:1])
    class Edit(QPlainTextEdit):
        def focusInEvent(self, event):
            super().focusInEvent(event)
            say('focused')
    edit = Edit()
    edit.setWindowTitle(title)
    timer = QTimer()
    timer.setSingleShot(True)
    # Half a character outside the first plane can be seen between two keys of Qt's own.
    timer.timeout.connect(lambda: say(json.dumps(
        edit.toPlainText().encode('utf-16', 'surrogatepass').decode('utf-16', 'replace'))))
    edit.textChanged.connect(lambda: timer.start(20))
    edit.show()
    say('ready')
    app.exec_()
elif kind == 'chromium':
    import http.server, subprocess
    page = ('<meta charset=utf-8><title>' + title + '</title><textarea id=t style="width:95%;height:90%">'
        '</textarea><script>const t=document.getElementById("t");'
        'const send=(what)=>fetch("/"+what,{method:"POST",body:t.value});let busy=false,told="";'
        'const tell=async()=>{if(busy)return;busy=true;'
        'while(told!==t.value){told=t.value;await send("text")}busy=false};'
        't.oninput=tell;t.onfocus=()=>send("focus");window.onfocus=()=>t.focus();t.focus();'
        'send("ready").then(()=>{if(document.hasFocus())send("focus")})</script>')
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
            text = self.rfile.read(int(self.headers['Content-Length'])).decode()
            if self.path == '/ready': say('ready')
            elif self.path == '/focus': say('focused')
            else: say(json.dumps(text))
            self.answer()
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    subprocess.Popen(
        ['chromium', '--no-sandbox', '--test-type', '--user-data-dir=' + folder, '--no-first-run',
         '--no-default-browser-check', '--disable-gpu', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--password-store=basic',
         '--app=http://127.0.0.1:%d/' % server.server_port],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server.serve_forever()
