import DictationSystem
import Foundation

/// A real program that a test runs, with its output and its end.
///
/// ```swift
/// let agent = try Program.start(BuildFolder.program("host-agent"), environment: display.environment)
/// try await agent.waitForLine(containing: "host-agent is ready")
/// agent.signal(SIGTERM)
/// #expect(try await agent.exitCode == 0)
/// ```
///
/// It leads its own process group. When its ``Program`` is no longer used, or by ``end(grace:)``, the whole
/// group gets SIGTERM, then SIGKILL; what is left of the group when the program ends gets SIGKILL too.
public final class Program: Sendable {
    /// How long the waiting methods wait by default. Generous, because it is never waited for
    /// unless something is broken: a machine that is slow or busy must not fail a test.
    public static let defaultLimit: Duration = .seconds(180)

    /// The name shown in errors.
    public let name: String
    /// The process id, which is the process group's id too.
    public var processID: Int32 { process.id }
    let transcript: Transcript
    private let process: StartedProcess

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: an absolute path, or a name that is looked up in PATH.
    ///   - environment: added to ``cleanEnvironment``.
    /// - Throws: ``ProgramError/notStarted(program:reason:)``, or ``SystemError`` if there are no more descriptors.
    public static func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Program {
        let output = try Descriptor.pipe()
        let errors = try Descriptor.pipe()
        let process: StartedProcess
        do {
            process = try StartedProcess(
                program, arguments, environment: cleanEnvironment.merging(environment) { $1 },
                output: .descriptor(output.writing), errors: .descriptor(errors.writing))
        } catch {
            throw ProgramError.notStarted(program: program, reason: error.reason)
        }
        let transcript = Transcript()
        transcript.follow(output.reading, as: .output)
        transcript.follow(errors.reading, as: .errors)
        transcript.follow(process)
        return Program(program, process, transcript)
    }

    /// Runs a program to its end and returns its stdout.
    ///
    /// - Throws: ``ProgramError/failed(program:status:output:errors:)`` if its exit code is not 0.
    @discardableResult
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        within limit: Duration = defaultLimit
    ) async throws -> String {
        let running = try start(program, arguments, environment: environment)
        let status = try await running.waitForExit(within: limit)
        guard status == .exited(0) else {
            throw ProgramError.failed(
                program: running.name, status: status, output: running.output, errors: running.errors)
        }
        return running.output
    }

    private init(_ program: String, _ process: StartedProcess, _ transcript: Transcript) {
        name = program.split(separator: "/").last.map(String.init) ?? program
        self.transcript = transcript
        self.process = process
    }

    deinit {
        // A program ends within milliseconds of SIGTERM; two seconds are for a busy machine.
        process.signalGroup(SIGTERM)
        if !transcript.blockUntilEnded(seconds: 2) { process.signalGroup(SIGKILL) }
    }

    /// The test's own environment without what would lead to the user's desktop, sound, session or settings.
    public static var cleanEnvironment: [String: String] {
        let unwanted: Set<String> = [
            "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE",
            "SESSION_MANAGER", "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET", "LISTEN_FDS",
            "LISTEN_PID",
            "ALSA_CONFIG_PATH", "PULSE_SERVER", "WINDOWID", "IBUS_ADDRESS", "IBUS_ADDRESS_FILE",
        ]
        return ProcessInfo.processInfo.environment.filter { name, _ in
            !unwanted.contains(name) && !name.hasPrefix("VOICEDICTATION_")
        }.merging([
            "VOICEDICTATION_SETTINGS": "/nonexistent/settings.toml",
            "VOICEDICTATION_ENGINES": InstalledEngines.withoutModels,
        ]) { $1 }
    }

    // MARK: Its output

    /// All of stdout so far.
    public var output: String { transcript.contents.outputText }
    /// All of stderr so far.
    public var errors: String { transcript.contents.errorText }
    /// All whole lines so far, of both streams, in the order in which they came.
    public var lines: [OutputLine] { transcript.contents.lines }
    /// Whether it has not ended yet.
    public var isRunning: Bool { transcript.contents.status == nil }

    /// Waits for a line of stdout or stderr; one that was already there counts.
    ///
    /// - Parameters:
    ///   - stream: only this stream; both if nil.
    ///   - first: the number of the first line to look at: for a line that comes again, pass the number of the
    ///     one before plus 1.
    /// - Throws: ``ProgramError`` if the program ends before, or the time is over.
    @discardableResult
    public func waitForLine(
        on stream: OutputLine.Stream? = nil, from first: Int = 0, within limit: Duration = defaultLimit,
        _ what: String = "the awaited line", where matches: (String) -> Bool
    ) async throws -> OutputLine {
        try await wait(within: limit, for: what) { contents in
            contents.lines.dropFirst(first)
                .first { (stream == nil || $0.stream == stream) && matches($0.text) }
        }
    }

    /// Waits for a line that contains `text`. See ``waitForLine(on:from:within:_:where:)``.
    @discardableResult
    public func waitForLine(
        containing text: String, on stream: OutputLine.Stream? = nil, from first: Int = 0,
        within limit: Duration = defaultLimit
    ) async throws -> OutputLine {
        try await waitForLine(on: stream, from: first, within: limit, "a line with '\(text)'") {
            $0.contains(text)
        }
    }

    /// Waits for a line in which the regular expression `pattern` (ICU's syntax) is found.
    @discardableResult
    public func waitForLine(
        matching pattern: String, on stream: OutputLine.Stream? = nil, from first: Int = 0,
        within limit: Duration = defaultLimit
    ) async throws -> OutputLine {
        try await waitForLine(on: stream, from: first, within: limit, "a line like /\(pattern)/") {
            $0.range(of: pattern, options: .regularExpression) != nil
        }
    }

    /// Waits until all that it wrote to stdout fulfils `matches`; for output that does not come in lines.
    @discardableResult
    public func waitForOutput(
        within limit: Duration = defaultLimit, _ what: String = "the awaited output",
        where matches: (String) -> Bool
    ) async throws -> String {
        try await wait(within: limit, for: what) { matches($0.outputText) ? $0.outputText : nil }
    }

    /// When the last bytes of stdout arrived; nil if there were none.
    public var lastOutputArrival: ContinuousClock.Instant? { transcript.contents.lastOutput }

    private func wait<Answer>(
        within limit: Duration, for what: String, _ look: (Transcript.Contents) -> Answer?
    ) async throws -> Answer {
        let answer = await transcript.wait(within: limit) { contents -> Answer?? in
            if let answer = look(contents) { return .some(answer) }
            return contents.isComplete ? .some(nil) : nil
        }
        if case .some(.some(let answer)) = answer { return answer }
        try Task.checkCancellation()
        let contents = transcript.contents
        if contents.isComplete, let status = contents.status {
            throw ProgramError.ended(
                program: name, awaited: what, status: status, output: contents.outputText,
                errors: contents.errorText)
        }
        throw timeLimitError(limit, what)
    }

    private func timeLimitError(_ limit: Duration, _ what: String) -> ProgramError {
        .timeLimit(program: name, awaited: what, limit: limit, output: output, errors: errors)
    }

    // MARK: Its end

    /// Waits until it has ended and all its output is here; the code is the one that a shell would show.
    public var exitCode: Int32 {
        get async throws { try await waitForExit().code }
    }

    /// Waits until it has ended and all its output is here.
    @discardableResult
    public func waitForExit(within limit: Duration = defaultLimit) async throws -> ExitStatus {
        let status = await transcript.wait(within: limit) { $0.isComplete ? $0.status : nil }
        try Task.checkCancellation()
        guard let status else { throw timeLimitError(limit, "its end") }
        return status
    }

    /// Sends a signal to the program alone; nothing happens if it has ended.
    public func signal(_ number: Int32) { process.signal(number) }

    /// Ends the whole process group: SIGTERM, and SIGKILL if it has not ended after `grace`.
    public func end(grace: Duration = .seconds(10)) async {
        process.signalGroup(SIGTERM)
        let ended: Bool? = await transcript.wait(within: grace) { $0.status == nil ? nil : true }
        if ended == nil { process.signalGroup(SIGKILL) }
        let _: Bool? = await transcript.wait(within: grace) { $0.isComplete ? true : nil }
    }
}

extension Transcript {
    /// Waits for the end of a process in a separate thread, and ends the rest of its group.
    func follow(_ process: StartedProcess) {
        Thread.detachNewThread { [self] in
            process.waitUntilEnded()
            process.signalGroup(SIGKILL)
            switch process.reap() {
            case .exited(let code): end(.exited(code))
            case .killed(let signal): end(.killed(signal: signal))
            }
            // A process that left the group may still hold the pipes; it does not keep the test waiting.
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [self] in
                close(.output)
                close(.errors)
            }
        }
    }

    /// Reads a stream to its end, in a separate thread.
    func follow(_ reader: Descriptor, as stream: OutputLine.Stream) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while let count = try? retryingInterrupted("read", { read(reader.raw, &buffer, buffer.count) }),
                count > 0
            {
                append(Data(buffer[..<count]), to: stream)
            }
            close(stream)
        }
    }
}
