import DesktopX11
import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// A desk with the inserter, and one window at a time.
final class InsertDesk: VirtualDesk {
    private var window: StartedProcess?
    /// Reports the first key press; nil on Wayland, which has no way to tell.
    private(set) var keys: KeyPressWatch?
    private var orders: FileHandle?
    private var answers: Descriptor?
    private var buffer: [UInt8] = []

    /// - Parameters:
    ///   - settings: more of them, for the agents.
    ///   - added: to the environment of all that is started.
    init(
        folder: URL, interruption: Interruption, pasteFrom: Int, settings: String = "",
        display: Display = .x11, environment added: [String: String] = [:]
    ) throws {
        try super.init(
            folder: folder, interruption: interruption,
            settings: "[insert]\npaste-from = \(pasteFrom)\nspacing = 0\n\(settings)",
            display: display,
            // Chromium leaves a folder there when it is ended.
            environment: ["TMPDIR": folder.path].merging(added) { $1 })
    }

    override func start() throws {
        try super.start()
        if display == .x11 { keys = try KeyPressWatch(display: environment["DISPLAY"]) }
    }

    // MARK: The window

    func open(_ sink: InsertSink) throws {
        let script = folder.appendingPathComponent("sink.py").path
        try Data(InsertSink.script).write(to: URL(fileURLWithPath: script))
        let paths = ["orders", "answers"].map { folder.appendingPathComponent("\(sink.rawValue)-\($0)").path }
        for path in paths { try retryingInterrupted("mkfifo \(path)") { mkfifo(path, 0o600) } }
        let profile = folder.appendingPathComponent("profile-\(sink.rawValue)").path
        window = try StartedProcess(
            "env", sink.command(script: script, orders: paths[0], answers: paths[1], folder: profile),
            environment: environment, errors: .nothing)
        // Both ends of both, so that neither side waits for the other to open it.
        answers = try .opening("open \(paths[1])") { Glibc.open(paths[1], O_RDWR | O_CLOEXEC) }
        let descriptor = Glibc.open(paths[0], O_RDWR | O_CLOEXEC)
        if descriptor < 0 { throw SystemError("open \(paths[0])") }
        orders = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        buffer = []
        guard try line() == "ready" else {
            throw CommandProblem(status: .failed, message: "\(sink.rawValue) did not start.")
        }
        switch display {
        case .x11:
            try run(
                "xdotool",
                [
                    "search", "--sync", "--onlyvisible", "--name", "^\(sink.title)$", "windowactivate",
                    "--sync",
                ])
        case .wayland, .gnome: try focus(sink)
        }
    }

    /// sway refuses while there is no such window; mutter gives the newest one the focus, and its user tells when.
    private func focus(_ sink: InsertSink) throws {
        let variables = ["XDG_RUNTIME_DIR", "SWAYSOCK", "DBUS_SESSION_BUS_ADDRESS"].map {
            "\($0)=\(environment[$0] ?? "")"
        }
        let order =
            display == .gnome
            ? [
                "dbus-send", "--session", "--print-reply", "--dest=trial.Seat", "/trial/seat",
                "trial.Seat.expect", "string:\(sink.title)",
            ] : ["swaymsg", "[title=\"^\(sink.title)\"] focus"]
        let command = variables + order
        let end = ContinuousClock.now + Self.patience
        while !Tool.runs("/usr/bin/env", command) {
            guard .now < end else {
                throw CommandProblem(status: .failed, message: "\(sink.rawValue) does not get the focus.")
            }
            MonotonicTime.pause(nanoseconds: 50_000_000)
        }
    }

    func close() {
        try? orders?.write(contentsOf: Data("quit\n".utf8))
        if let window {
            // The window's program ends its children.
            _ = window.waitUntilEnded(until: .now + Self.endPatience)
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

    /// Puts a text into the store that is not typed yet, and waits until insert-agent is idle again.
    func hold(_ text: String) throws -> DictationID {
        let id = try store.begin(target: nil, engine: "benchmark", locale: "en-US").id
        try store.apply(.recognized(.init(rawText: text, cleanedText: text, held: .askedFor)), to: id)
        MonotonicTime.pause(nanoseconds: 100_000_000)
        try keys?.begin()
        return id
    }

    /// Returns when insert-agent has finished a text: until then the window is not queried, which would take
    /// its time, as it is not queried while xdotool runs.
    ///
    /// - Parameter revision: from before the text was given to it.
    func awaitDelivery(of id: DictationID, since revision: Revision) throws {
        let delivered = try WakeUp()
        let watcher = try StateWatcher(store: store, since: revision) { changes in
            let isDelivered = changes.dictations.contains { state in
                guard state.id == id, let delivery = state.delivery else { return false }
                switch delivery {
                case .pending, .claimed: return false
                case .inserted, .held, .discarded: return true
                }
            }
            if isDelivered { delivered.signal() }
        }
        defer { watcher.stop() }
        _ = try interruption.wait(for: [delivered.raw], until: .now + Self.patience)
    }

    func content() throws -> Content { try ask("get") }

    /// The content of the window as soon as it is `expected`, or its content when time is up. A terminal's
    /// program writes down the keys a moment after it has read them, and gives no sign of it.
    func content(awaiting expected: String) throws -> Content {
        let end = ContinuousClock.now + Self.patience
        while true {
            let content = try content()
            if content.text == expected || end < .now { return content }
            MonotonicTime.pause(nanoseconds: 50_000_000)
        }
    }

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
            guard let answers, try !interruption.wait(for: [answers.raw], until: .now + Self.patience).isEmpty
            else { throw CommandProblem(status: .failed, message: "The window does not answer.") }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = try retryingInterrupted("read") { read(answers.raw, &chunk, chunk.count) }
            buffer += chunk.prefix(count)
        }
    }

    override func end() {
        close()
        super.end()
    }
}
