import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopX11

/// A private X server with a window manager, for one test; ends with it.
final class TestDisplay: Sendable {
    let name: String
    /// The home of the programs that are started on it.
    var folder: URL { URL(filePath: home.path) }
    private let home: TemporaryFolder
    private let keyboard: UserKeyboard?
    /// Nil once it is stopped.
    private let server: Mutex<StartedProcess?>
    private let processes = Mutex<[StartedProcess]>([])
    /// Their outputs, open for as long as they run.
    private let outputs = Mutex<[Descriptor]>([])
    private let additions = Mutex<[String: String]>([:])

    /// The longest time that a busy machine may need for any step.
    static let limit = Program.defaultLimit

    /// - Parameter withUser: false if a connection of this process, by which keys are pressed, would be one
    ///   too many.
    init(withWindowManager: Bool = true, withUser: Bool = true, arguments: [String] = []) throws {
        home = try TemporaryFolder("desktop")
        let (server, output) = try DesktopX11Tests.startReading(
            "Xvfb",
            ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1024x768x24"] + arguments)
        self.server = Mutex(server)
        outputs.withLock { $0.append(output) }
        var reader = LineReader(output)
        name = ":" + (try reader.line())
        keyboard = withUser ? try UserKeyboard(of: name) : nil
        if withWindowManager { try startWindowManager() }
    }

    deinit {
        for process in processes.withLock({ $0 }).reversed() { end(process) }
        stopServer()
        // Chromium's children outlive it for a moment, and write into its folder.
        LeftProcesses(naming: folder).end()
        // Services that a session bus has started outlive it, too.
        LeftProcesses(withVariable: "HOME", value: home.path).end()
    }

    private func end(_ process: StartedProcess) {
        process.signalGroup(SIGKILL)
        process.reap()
    }

    var environment: [String: String] {
        let ours = [
            "DISPLAY": name, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "LC_ALL": "C.UTF-8",
            // Chromium leaves a folder there when it is ended.
            "NO_AT_BRIDGE": "1", "TMPDIR": folder.path,
        ]
        return ProcessInfo.processInfo.environment.merging(ours) { $1 }
            .merging(additions.withLock { $0 }) { $1 }
    }

    /// For the programs that are started from now on.
    func add(_ environment: [String: String]) { additions.withLock { $0.merge(environment) { $1 } } }

    @discardableResult
    func start(_ program: String, _ arguments: [String]) throws -> StartedProcess {
        let process = try StartedProcess(program, arguments, environment: environment, errors: .nothing)
        processes.withLock { $0.append(process) }
        return process
    }

    /// - Returns: its output as well.
    func startReading(_ program: String, _ arguments: [String]) throws -> (StartedProcess, Descriptor) {
        let started = try DesktopX11Tests.startReading(program, arguments, environment: environment)
        processes.withLock { $0.append(started.0) }
        outputs.withLock { $0.append(started.1) }
        return started
    }

    /// Runs a program to its end and returns its output.
    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String {
        let (process, output) = try DesktopX11Tests.startReading(program, arguments, environment: environment)
        var reader = LineReader(output)
        let text = try reader.rest()
        process.reap()
        return text
    }

    func stopServer() {
        guard let server = server.withLock({ $0.take() }) else { return }
        // A killed server leaves these. When it has ended, another one may have its number, and its files.
        let number = name.dropFirst()
        for file in ["/tmp/.X\(number)-lock", "/tmp/.X11-unix/X\(number)"] { unlink(file) }
        end(server)
    }

    func signalServer(_ signal: Int32) {
        server.withLock { $0?.signal(signal) }
    }

    private func startWindowManager() throws {
        let configuration = folder.appending(path: "rc.xml")
        try """
        <?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">
        <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
        <keyboard><rebindOnMappingNotify>no</rebindOnMappingNotify></keyboard></openbox_config>
        """.write(to: configuration, atomically: true, encoding: .utf8)
        let (_, output) = try startReading(
            "openbox", ["--config-file", configuration.path, "--startup", "echo ready"])
        var reader = LineReader(output)
        #expect(try reader.line() == "ready")
    }

    /// The keyboard map as text.
    func keyboardMap() throws -> String { try run("xkbcomp", "-xkb", name, "-") }

    /// The symbols of each key in the active group; quicker than ``keyboardMap()``.
    func keys() throws -> KeyboardMap {
        let keyboard = try TypingKeyboard(connection: DisplayConnection(name: name))
        try keyboard.refresh()
        return keyboard.map
    }

    /// Gives the focus to the window with this title, once it is there.
    func activate(_ title: String) throws {
        try run(
            "xdotool", "search", "--sync", "--onlyvisible", "--name", "^\(title)$", "windowactivate", "--sync"
        )
        // The window manager says that it has done it before the server has.
        let connection = try DisplayConnection(name: name)
        let focus = FocusInspector(connection: connection)
        XSelectInput(connection.display, connection.root, PropertyChangeMask | FocusChangeMask)
        let deadline = ContinuousClock.now + Self.limit
        while focus.focusedWindow()?.title != title && ContinuousClock.now < deadline {
            try connection.waitForInput(until: .now + .milliseconds(50))
            while connection.nextEvent() != nil {}
        }
    }

    /// Presses or releases a key of a keyboard that is not the XTEST one, as a user does.
    ///
    /// - Parameter when: called when all is ready for it; may block.
    func sendPhysical(keycode: UInt32, isDown: Bool, when: () -> Void = {}) throws {
        guard let keyboard else { throw UserKeyboard.Problem.noKeyboard }
        try keyboard.send(keycode: keycode, isDown: isDown, when: when)
    }

    /// Presses and releases a key of the user's, by the name of its keysym.
    func tapPhysical(_ name: String) throws {
        let connection = try DisplayConnection(name: self.name)
        let keycode = XKeysymToKeycode(connection.display, XStringToKeysym(name))
        for isDown in [true, false] { try sendPhysical(keycode: UInt32(keycode), isDown: isDown) }
    }

    /// Chooses another group of the layout, as a person does by a key or an applet.
    func lockGroup(_ group: UInt32) throws {
        let connection = try DisplayConnection(name: name)
        XkbLockGroup(connection.display, UInt32(XkbUseCoreKbd), group)
        connection.sync()
    }

    /// Loads another layout.
    func setLayout(_ arguments: [String]) throws {
        try start("setxkbmap", arguments).reap()
    }

    func lockedModifiers() throws -> UInt8 {
        let connection = try DisplayConnection(name: name)
        return try KeyboardControl(connection: connection).state().locked_mods
    }

    func pressedKeycodes() throws -> [UInt8] {
        let connection = try DisplayConnection(name: name)
        var bits = [CChar](repeating: 0, count: 32)
        XQueryKeymap(connection.display, &bits)
        return KeyBits(bits).keycodes
    }
}

/// True the first time that it is asked.
final class Once: Sendable {
    private let isDone = Mutex(false)

    func callAsFunction() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
    }
}

/// Gives the focus to another window at any moment, like a dialog that pops up.
final class FocusThief: Sendable {
    private let display: String
    private let pending = DispatchGroup()
    private let hasBegun = Mutex(false)

    init(display: String) { self.display = display }

    /// Returns at once; only the first call counts.
    func steal(to title: String) {
        let mayBegin = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard mayBegin else { return }
        pending.enter()
        Thread.detachNewThread { [self] in
            defer { pending.leave() }
            guard let connection = try? DisplayConnection(name: display) else { return }
            let focus = FocusInspector(connection: connection)
            guard case .words(let windows)? = connection.property("_NET_CLIENT_LIST", of: connection.root)
            else { return }
            guard let window = windows.first(where: { focus.info(of: $0).title == title }) else { return }
            XSetInputFocus(connection.display, window, Int32(RevertToParent), Time(CurrentTime))
            connection.sync()
        }
    }

    /// Waits for it, if it has begun.
    func wait() { pending.wait() }
}

/// A window that reports the text that was typed into it.
final class Sink: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case xterm, chromium
        case gtk = "gtk3"
        case qt = "qt5"

        var isInstalled: Bool { self != .chromium || Chromium.isInstalled }

        static let installed = allCases.filter(\.isInstalled)
    }

    let title: String
    let kind: Kind
    private let reader: Mutex<LineReader>
    let application: StartedProcess

    init(_ kind: Kind, on display: TestDisplay, title: String) throws {
        self.kind = kind
        self.title = title
        switch kind {
        case .xterm:
            let path = display.folder.appending(path: title).path
            try retryingInterrupted("mkfifo") { mkfifo(path, 0o600) }
            let fifo = try Descriptor.opening("open \(path)") { open(path, O_RDWR) }
            reader = Mutex(LineReader(fifo))
            application = try display.start(
                "xterm",
                [
                    "-u8", "-T", title, "-e", "sh", "-c",
                    "stty raw -echo; exec > '\(path)'; echo shown; exec cat",
                ])
        case .gtk, .qt, .chromium:
            let output: Descriptor
            (application, output) = try display.startReading(
                "/usr/bin/python3",
                [
                    "-u", WindowScript.path, kind.rawValue, title,
                    display.folder.appending(path: "\(title)-profile").path,
                ])
            reader = Mutex(LineReader(output))
        }
        // In any order: a new window may get the focus at once.
        var awaited: Set<String> = ["shown"]
        if kind != .xterm { awaited.insert("ready") }
        while awaited.contains("shown") { awaited.remove(try line()) }
        try display.activate(title)
        // The window manager has set the focus; a toolkit must have seen it before it shows keys.
        while !awaited.isEmpty { awaited.remove(try line()) }
    }

    /// Waits until the window has this text and nothing else; returns its final text.
    func waitFor(_ text: String) throws -> String {
        switch kind {
        case .xterm:
            return try reader.withLock { try $0.text(bytes: text.utf8.count) }.replacing("\r", with: "\n")
        case .gtk, .qt, .chromium:
            var last = ""
            // Two strings are equal as soon as they look the same.
            while !last.unicodeScalars.elementsEqual(text.unicodeScalars) {
                guard let line = try? line() else { return last }
                guard line.hasPrefix("\"") else { continue }
                last = try JSONDecoder().decode(String.self, from: Data(line.utf8))
            }
            return last
        }
    }

    private func line() throws -> String { try reader.withLock { try $0.line() } }

    /// The text that has come in so far, without waiting.
    func whatIsThere() throws -> String { try reader.withLock { try $0.available() } }
}

/// - Returns: the program, and the reading end of its output.
func startReading(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil
) throws -> (StartedProcess, Descriptor) {
    let (reading, writing) = try Descriptor.pipe()
    let process = try StartedProcess(
        program, arguments, environment: environment, output: .descriptor(writing), errors: .nothing)
    return (process, reading)
}

/// Reads from a pipe, with a time limit.
struct LineReader {
    struct TimedOut: Error {}

    private let descriptor: Descriptor
    private var buffer: [UInt8] = []

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    private mutating func fill(until deadline: ContinuousClock.Instant) throws -> Bool {
        if try waitUntilReadable([descriptor.raw], until: deadline).isEmpty { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = try retryingInterrupted("read") { read(descriptor.raw, &chunk, chunk.count) }
        buffer += chunk.prefix(count)
        return count > 0
    }

    mutating func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0a) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            if try !fill(until: .now + TestDisplay.limit) { throw TimedOut() }
        }
    }

    mutating func text(bytes: Int) throws -> String {
        while buffer.count < bytes {
            if try !fill(until: .now + TestDisplay.limit) { break }
        }
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// All that comes until the end.
    mutating func rest() throws -> String {
        while try fill(until: .now + TestDisplay.limit) {}
        return String(decoding: buffer, as: UTF8.self)
    }

    mutating func available() throws -> String {
        while try fill(until: .now) {}
        return String(decoding: buffer, as: UTF8.self)
    }
}

extension CutConnection {
    convenience init(to display: TestDisplay) throws { try self.init(to: display.name) }
}
