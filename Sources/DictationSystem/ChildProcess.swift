import Foundation
import Glibc
import Synchronization

/// A program that is run to its end for its answer; it may crash, hang or be slow without harm to this process, and
/// never outlives it (see ``exitWhenInputEnds(code:)``).
public struct ChildProcess: Sendable {
    /// Its path, or a name that is looked up in PATH.
    public let program: String
    public let arguments: [String]
    /// How long it may take before it counts as hanging, and is killed.
    public let limit: Duration
    /// How many bytes it may write before it is killed.
    public let outputLimit: Int
    public let errors: Errors
    /// Added to this process's own environment.
    public let environment: [String: String]
    /// Whether it ends itself, with everything that it started, when its standard input ends. Then it is not
    /// killed when it is no longer wanted: it cleans up, and ends.
    public let endsWithInput: Bool
    /// The text for its standard input, which ends after it. If nil, there is none, and the input ends with
    /// this process.
    public let input: String?

    public init(
        program: String, arguments: [String], limit: Duration, outputLimit: Int = 64 << 20,
        errors: Errors = .passed, environment: [String: String] = [:], endsWithInput: Bool = false,
        input: String? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.limit = limit
        self.outputLimit = outputLimit
        self.errors = errors
        self.environment = environment
        self.endsWithInput = endsWithInput
        self.input = input
    }

    /// Where its stderr goes.
    public enum Errors: Sendable {
        /// Passed on to this process's own.
        case passed
        /// It is part of the answer.
        case taken
        case dropped
    }

    /// The program that runs now; if an upgrade has replaced its file since, the new one, which matches the
    /// files next to it.
    public static var thisProgram: URL { program(at: "/proc/self/exe") }

    /// - Parameter link: a link of the kernel: it appends a mark to the path of a file that was replaced or
    ///   removed.
    package static func program(at link: String) -> URL {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
        let remark = " (deleted)"
        guard path.hasSuffix(remark), !FileManager.default.fileExists(atPath: path) else {
            return URL(filePath: path)
        }
        return URL(filePath: String(path.dropLast(remark.count)))
    }

    /// To follow a subject: "the recognizer …".
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case notStarted(reason: String)
        /// `lastWords`: its last line, if its stderr was captured.
        case crashed(signal: Int32, lastWords: String = "")
        case failed(code: Int32, lastWords: String = "")
        case hung(limit: Duration)
        /// `limit`: in bytes.
        case wroteTooMuch(limit: Int)

        public var description: String {
            switch self {
            case .notStarted(let reason): "cannot be started (\(reason))"
            case .crashed(let signal, let words): "crashed (signal \(signal))" + Self.said(words)
            case .failed(let code, let words):
                "failed (code \(code)" + (words.isEmpty ? "; see the log)" : ")") + Self.said(words)
            case .hung(let limit): "did not finish within \(limit.inSeconds)"
            case .wroteTooMuch(let limit): "wrote more than \(limit >> 20) MiB"
            }
        }

        private static func said(_ words: String) -> String { words.isEmpty ? "" : ": \(words)" }
    }

    /// Runs it, and returns its output.
    ///
    /// - Parameter receive: gets each line as it comes, without its newline; on a separate thread.
    /// - Throws: ``Failure``; `CancellationError` when the task is canceled, which ends the child.
    public func run(receive: (@Sendable (String) -> Void)? = nil) async throws -> Data {
        let child = RunningChild(self, receive: receive)
        return try await withTaskCancellationHandler {
            let result = await onThread(named: "child") { Result { try child.run() } }
            try Task.checkCancellation()
            let (output, end) = try result.get()
            try check(end, lastWords: errors == .taken ? Self.lastLine(of: output) : "")
            return output
        } onCancel: {
            child.kill()
        }
    }

    /// Blocks until it has ended, in any way.
    ///
    /// - Returns: its output.
    /// - Throws: ``Failure/notStarted(reason:)``, ``Failure/hung(limit:)``, ``Failure/wroteTooMuch(limit:)``,
    ///   ``SystemError``.
    public func runBlocking() throws -> (output: Data, end: StartedProcess.End) {
        try RunningChild(self, receive: nil).run()
    }

    /// - Throws: ``Failure/crashed(signal:lastWords:)``, ``Failure/failed(code:lastWords:)``
    private func check(_ end: StartedProcess.End, lastWords: String) throws(Failure) {
        switch end {
        case .exited(0): break
        case .exited(let code): throw .failed(code: code, lastWords: lastWords)
        case .killed(let signal): throw .crashed(signal: signal, lastWords: lastWords)
        }
    }

    private static func lastLine(of output: Data) -> String {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.suffix(300)) } ?? ""
    }
}

/// For a child: ends this process as soon as its standard input ends, which the parent holds open for as long as it
/// lives and wants the answer.
public func exitWhenInputEnds(code: Int32) {
    startThread(named: "lifeline") {
        var byte: UInt8 = 0
        while let count = try? retryingInterrupted("read", { read(STDIN_FILENO, &byte, 1) }), count > 0 {}
        _exit(code)
    }
}

/// One child from its start to its end.
private final class RunningChild: Sendable {
    private struct State {
        var process: StartedProcess?
        var isKilled = false
        /// Ends the child when this process ends, in whatever way: it watches for the end of its standard input.
        var lifeline: Descriptor?
    }
    private let order: ChildProcess
    private let receive: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    init(_ order: ChildProcess, receive: (@Sendable (String) -> Void)?) {
        self.order = order
        self.receive = receive
    }

    /// Requests its termination, also before its start; does nothing once it has ended.
    func kill() {
        state.withLock { state in
            state.isKilled = true
            if order.endsWithInput {
                state.lifeline = nil
            } else {
                // In its own group, with everything that it starts, as a shell does for each command.
                state.process?.signalGroup(SIGKILL)
            }
        }
    }

    /// Runs it, and blocks until it has ended.
    func run() throws -> (output: Data, end: StartedProcess.End) {
        let (process, reader) = try start()
        let output: Data?
        do {
            output = try readToEnd(of: process, from: reader, until: .now + order.limit)
        } catch {
            kill()
            process.reap()
            throw error
        }
        if output == nil { kill() }
        let end = process.reap()
        guard let output else { throw ChildProcess.Failure.hung(limit: order.limit) }
        return (output, end)
    }

    /// - Returns: the child, and the reading end of its output.
    private func start() throws -> (StartedProcess, Descriptor) {
        do {
            let output = try Descriptor.pipe()
            let lifeline = try Descriptor.pipe()
            let input = try order.input.map { try Descriptor.memoryFile(holding: $0) } ?? lifeline.reading
            let errors: StartedProcess.Stream =
                switch order.errors {
                case .passed: .inherited
                case .taken: .descriptor(output.writing)
                case .dropped: .nothing
                }
            let environment =
                order.environment.isEmpty
                ? nil : ProcessInfo.processInfo.environment.merging(order.environment) { $1 }
            let process = try state.withLock { state in
                if state.isKilled { throw CancellationError() }
                let process = try StartedProcess(
                    order.program, order.arguments, environment: environment,
                    input: .descriptor(input), output: .descriptor(output.writing),
                    errors: errors)
                state.process = process
                state.lifeline = lifeline.writing
                return process
            }
            return (process, output.reading)
        } catch let error as SystemError {
            throw ChildProcess.Failure.notStarted(reason: error.reason)
        }
    }

    /// All its output; nil if the time is over. Its own end counts: its background processes may hold the
    /// output open for a long time.
    private func readToEnd(
        of process: StartedProcess, from reader: Descriptor, until deadline: ContinuousClock.Instant
    ) throws -> Data? {
        let end = try ProcessEnd(of: process.id)
        var hasEnded = false
        var all = Data()
        var line = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // One that never stops writing is late as well.
            guard .now < deadline else { return nil }
            let ready = try waitUntilReadable(
                hasEnded ? [reader.raw] : [reader.raw, end.raw], until: hasEnded ? .now : deadline)
            guard !ready.isEmpty else { return hasEnded ? all : nil }
            guard ready.contains(reader.raw) else {
                hasEnded = true
                continue
            }
            let count = try retryingInterrupted("read") { read(reader.raw, &buffer, buffer.count) }
            guard count > 0 else {
                // It may close its output and continue.
                return try waitUntilReadable([end.raw], until: deadline).isEmpty ? nil : all
            }
            guard all.count + count <= order.outputLimit else {
                throw ChildProcess.Failure.wroteTooMuch(limit: order.outputLimit)
            }
            all.append(contentsOf: buffer[..<count])
            guard let receive else { continue }
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: rest[..<end])
                receive(String(decoding: line, as: UTF8.self))
                line.removeAll()
                rest = rest[(end + 1)...]
            }
            line.append(contentsOf: rest)
        }
    }
}
