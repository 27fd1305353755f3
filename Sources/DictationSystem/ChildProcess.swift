import Foundation
import Glibc
import Synchronization

/// A program that is run to its end for its answer; it may crash, hang or be slow without harm to this process, and
/// never outlives it (see ``exitWhenInputEnds(code:)``).
public struct ChildProcess: Sendable {
    public let program: URL
    public let arguments: [String]
    /// How long it may take before it counts as hanging, and is killed.
    public let limit: Duration
    /// Whether its stderr is part of its answer; otherwise it goes where this process's own goes.
    public let takesErrors: Bool
    /// Added to this process's own environment.
    public let environment: [String: String]
    /// Whether it ends by itself, with all that it started, when its standard input ends. Then it is not killed where it
    /// is no longer wanted: it removes what it has begun, and ends.
    public let endsWithInput: Bool
    /// The text for its standard input, which ends behind it. If nil, there is none, and the input ends with
    /// this process.
    public let input: String?

    public init(
        program: URL, arguments: [String], limit: Duration, takesErrors: Bool = false,
        environment: [String: String] = [:], endsWithInput: Bool = false, input: String? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.limit = limit
        self.takesErrors = takesErrors
        self.environment = environment
        self.endsWithInput = endsWithInput
        self.input = input
    }

    /// The program that runs now.
    public static var thisProgram: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }

    /// To follow a subject: "the recognizer …".
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case notStarted(reason: String)
        /// `lastWords`: the last line that it said, where its stderr was taken.
        case crashed(signal: Int32, lastWords: String = "")
        case failed(code: Int32, lastWords: String = "")
        case hung(limit: Duration)

        public var description: String {
            switch self {
            case .notStarted(let reason): "cannot be started (\(reason))"
            case .crashed(let signal, let words): "crashed (signal \(signal))" + Self.said(words)
            case .failed(let code, let words):
                "failed (code \(code)" + (words.isEmpty ? "; see the log)" : ")") + Self.said(words)
            case .hung(let limit): "did not finish within \(limit)"
            }
        }

        private static func said(_ words: String) -> String { words.isEmpty ? "" : ": \(words)" }
    }

    /// Runs it, and returns what it wrote.
    ///
    /// - Parameter receive: is given each line as it comes, without its end; in a thread of the child's own.
    /// - Throws: ``Failure``; `CancellationError` when the task is cancelled, which ends the child.
    public func run(receive: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Data {
        let child = RunningChild(self, receive: receive)
        return try await withTaskCancellationHandler {
            let result = await withCheckedContinuation { continuation in
                // It blocks in poll; the cooperative threads are too few for that.
                startThread(named: "child") { continuation.resume(returning: Result { try child.run() }) }
            }
            try Task.checkCancellation()
            return try result.get()
        } onCancel: {
            child.kill()
        }
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
        let process: Process
        var isKilled = false
    }
    private let order: ChildProcess
    private let receive: @Sendable (String) -> Void
    private let state: Mutex<State>
    private let output = Pipe()
    /// Ends the child when this process ends, in whatever way: it watches for the end of its standard input.
    private let lifeline = Pipe()

    init(_ order: ChildProcess, receive: @escaping @Sendable (String) -> Void) {
        self.order = order
        self.receive = receive
        let process = Process()
        if !order.environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(order.environment) { $1 }
        }
        process.executableURL = order.program
        process.arguments = order.arguments
        process.standardOutput = output
        if order.takesErrors { process.standardError = output }
        process.standardInput = lifeline
        state = Mutex(State(process: process))
    }

    /// Asks for its death, before its start too; does nothing once it has ended.
    func kill() {
        state.withLock { state in
            state.isKilled = true
            guard state.process.isRunning else { return }
            if order.endsWithInput {
                // Closing twice fails, and that is no harm.
                try? lifeline.fileHandleForWriting.close()
            } else {
                _ = Glibc.kill(state.process.processIdentifier, SIGKILL)
            }
        }
    }

    /// Runs it, and blocks until it has ended.
    func run() throws -> Data {
        do {
            let input = try order.input.map { try Descriptor.memoryFile(holding: $0) }
            try state.withLock { state in
                if state.isKilled { throw CancellationError() }
                if let input {
                    state.process.standardInput = FileHandle(
                        fileDescriptor: input.raw, closeOnDealloc: false)
                }
                try withExtendedLifetime(input) { try state.process.run() }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ChildProcess.Failure.notStarted(reason: "\(error)")
        }
        let answer = try readToEnd(until: .now + order.limit)
        if answer == nil { kill() }
        let (reason, status) = state.withLock { state in
            state.process.waitUntilExit()
            return (state.process.terminationReason, state.process.terminationStatus)
        }
        guard let answer else { throw ChildProcess.Failure.hung(limit: order.limit) }
        let words = order.takesErrors ? Self.lastLine(of: answer) : ""
        if reason == .uncaughtSignal {
            throw ChildProcess.Failure.crashed(signal: status, lastWords: words)
        }
        guard status == 0 else { throw ChildProcess.Failure.failed(code: status, lastWords: words) }
        return answer
    }

    private static func lastLine(of output: Data) -> String {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.suffix(300)) } ?? ""
    }

    /// All that it writes; nil when the time is over.
    private func readToEnd(until deadline: ContinuousClock.Instant) throws -> Data? {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var all = Data()
        var told = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
            let ready = try waitUntilReadable([descriptor], timeout: Int32(min(left, 1e9)))
            guard !ready.isEmpty else { return nil }
            let count = try retryingInterrupted("read") { read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return all }
            all.append(contentsOf: buffer[..<count])
            while let end = all[told...].firstIndex(of: UInt8(ascii: "\n")) {
                receive(String(decoding: all[told..<end], as: UTF8.self))
                told = end + 1
            }
        }
    }
}
