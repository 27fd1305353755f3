import DictationDesktop
import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Programs from the system's PATH.
enum Tool {
    static func path(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether it ends with 0.
    static func runs(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// A display of the benchmark's own, with a window manager, the inserter, and one window at a time.
final class InsertDesk {
    private var processes: [Process] = []
    private var window: Process?
    private let folder: URL
    private let interruption: Interruption
    private(set) var environment: [String: String]
    let store: StateStore
    /// Tells when the first key is pressed.
    private(set) var keys: KeyPressWatch?
    private var orders: FileHandle?
    private var answers: Descriptor?
    private var buffer: [UInt8] = []

    /// For a program's start, or an answer, in milliseconds; generous, on machines that are busy.
    private static let patience: Int32 = 60_000
    /// For a program's end, in milliseconds; the browser writes its profile.
    private static let endPatience: Int32 = 10_000

    /// To be ended by ``end()``, also when ``start()`` fails.
    init(folder: URL, interruption: Interruption) throws {
        self.folder = folder
        self.interruption = interruption
        let group = folder.appendingPathComponent("group", isDirectory: true)
        store = try StateStore(group: AppGroup(folder: group))
        environment = ProcessInfo.processInfo.environment
        for name in ["XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE"] { environment[name] = nil }
        environment.merge([
            "VOICEDICTATION_GROUP": group.path, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1",
            "VOICEDICTATION_SETTINGS": folder.appendingPathComponent("settings.toml").path,
            "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb",
        ]) { $1 }
        // What is measured here is typing, in every window; the paste is measured by itself.
        try Data("[insert]\npaste-from = 0\nspacing = 0\n".utf8).write(
            to: folder.appendingPathComponent("settings.toml"))
    }

    /// Starts the display and the window manager.
    func start() throws {
        let number = try start(
            "Xvfb", ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x800x24"],
            readingFirstLine: true)
        environment["DISPLAY"] = ":" + number
        let configuration = folder.appendingPathComponent("openbox.xml")
        try Data(Self.windowManager.utf8).write(to: configuration)
        _ = try start(
            "openbox", ["--config-file", configuration.path, "--startup", "echo ready"],
            readingFirstLine: true)
        keys = try KeyPressWatch(display: environment["DISPLAY"])
    }

    private static let windowManager = """
        <?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">
        <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
        <keyboard><rebindOnMappingNotify>no</rebindOnMappingNotify></keyboard></openbox_config>
        """

    /// Starts insert-agent, the one that lies beside this program.
    func startInserter() throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("insert-agent").path
        guard access(program, X_OK) == 0 else {
            throw Problem(
                status: .failed, message: "\(program) is not there. Build it: swift build -c release")
        }
        _ = try start(program, ["--log-level", "notice"], readingFirstLine: true, from: .errors)
    }

    private enum Stream { case output, errors }

    private func start(
        _ program: String, _ arguments: [String], readingFirstLine: Bool, from stream: Stream = .output
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = environment
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = stream == .output ? pipe : FileHandle.nullDevice
        process.standardError = stream == .errors ? pipe : FileHandle.nullDevice
        try process.run()
        processes.append(process)
        guard readingFirstLine else { return "" }
        var line: [UInt8] = []
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        while line.last != 0x0a {
            var byte: UInt8 = 0
            guard try !interruption.wait(for: [descriptor], timeout: Self.patience).isEmpty,
                try retryingInterrupted("read", { read(descriptor, &byte, 1) }) == 1
            else { throw Problem(status: .failed, message: "\(program) did not start.") }
            line.append(byte)
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// Runs a program to its end; what it leaves in the background (xclip does) is not waited for.
    func run(_ program: String, _ arguments: [String], input: String? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = environment
        let pipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let input {
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        // Foundation's own waiting would wait for the background as well.
        guard let ended = try? ProcessEnd(of: process.processIdentifier) else { return }
        do {
            if try interruption.wait(for: [ended.raw], timeout: Self.patience).isEmpty {
                throw Problem(status: .failed, message: "\(program) does not end.")
            }
        } catch {
            end(process)
            throw error
        }
    }

    // MARK: The window

    func open(_ sink: InsertSink) throws {
        let script = folder.appendingPathComponent("sink.py").path
        try Data(InsertSink.script.utf8).write(to: URL(fileURLWithPath: script))
        let paths = ["orders", "answers"].map { folder.appendingPathComponent("\(sink.rawValue)-\($0)").path }
        for path in paths { try retryingInterrupted("mkfifo \(path)") { mkfifo(path, 0o600) } }
        let profile = folder.appendingPathComponent("profile-\(sink.rawValue)").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = sink.command(
            script: script, orders: paths[0], answers: paths[1], folder: profile)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        window = process
        // Both ends of both, so that neither side waits for the other to open it.
        answers = try .opening("open \(paths[1])") { Glibc.open(paths[1], O_RDWR | O_CLOEXEC) }
        let descriptor = Glibc.open(paths[0], O_RDWR | O_CLOEXEC)
        if descriptor < 0 { throw SystemError("open \(paths[0])") }
        orders = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        buffer = []
        guard try line() == "ready" else {
            throw Problem(status: .failed, message: "\(sink.rawValue) did not start.")
        }
        try run(
            "xdotool",
            ["search", "--sync", "--onlyvisible", "--name", "^\(sink.title)$", "windowactivate", "--sync"])
    }

    func close() {
        try? orders?.write(contentsOf: Data("quit\n".utf8))
        if let window {
            // The window's program ends what it has started.
            if let ended = try? ProcessEnd(of: window.processIdentifier) {
                _ = try? waitUntilReadable([ended.raw], timeout: Self.endPatience)
            }
            end(window)
        }
        window = nil
        orders = nil
    }

    struct Content: Decodable {
        let text: String
        /// CLOCK_MONOTONIC, in ns.
        let first: Int64?
        let last: Int64?
    }

    func clear() throws { _ = try ask("clear") }

    /// Puts a text into the store that is not to be typed yet, and lets insert-agent come to rest again.
    func hold(_ text: String) throws -> DictationID {
        let id = try store.begin(target: nil, engine: "benchmark", locale: "en-US").id
        try store.apply(.recognised(.init(rawText: text, cleanedText: text, held: .askedFor)), to: id)
        MonotonicTime.pause(nanoseconds: 100_000_000)
        try keys?.begin()
        return id
    }

    func content() throws -> Content { try ask("get") }

    private func ask(_ order: String) throws -> Content {
        try orders?.write(contentsOf: Data((order + "\n").utf8))
        return try JSONDecoder().decode(Content.self, from: Data(try line().utf8))
    }

    private func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0a) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard let answers, try !interruption.wait(for: [answers.raw], timeout: Self.patience).isEmpty
            else { throw Problem(status: .failed, message: "The window does not answer.") }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = try retryingInterrupted("read") { read(answers.raw, &chunk, chunk.count) }
            buffer += chunk.prefix(count)
        }
    }

    // MARK: The end

    func end() {
        close()
        for process in processes.reversed() { end(process) }
        guard let display = environment["DISPLAY"]?.dropFirst() else { return }
        // An X server that had to be killed leaves these.
        for path in ["/tmp/.X\(display)-lock", "/tmp/.X11-unix/X\(display)"] { unlink(path) }
    }

    private func end(_ process: Process) {
        let pid = process.processIdentifier
        guard let ended = try? ProcessEnd(of: pid) else { return }
        func hasEnded(within patience: Int32) -> Bool {
            (try? waitUntilReadable([ended.raw], timeout: patience))?.isEmpty == false
        }
        kill(pid, SIGTERM)
        if hasEnded(within: Self.endPatience) { return }
        kill(pid, SIGKILL)
        _ = hasEnded(within: Self.endPatience)
    }
}
