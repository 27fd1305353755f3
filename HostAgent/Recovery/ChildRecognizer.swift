import DictationSystem
import Foundation
import Synchronization

/// Recognises a recording in a process of its own, which may crash, hang or be slow without harm to this one.
struct ChildRecognizer: Sendable {
    /// The program, and its arguments before the recording's path; it prints an ``Answer`` as JSON.
    let program: URL
    let arguments: [String]
    /// How long it may take before it counts as hanging.
    let limit: Duration

    /// An hour of sound takes a quarter of an hour on a small machine; nothing that is recorded by hand takes longer
    /// than this.
    static let usualLimit = Duration.seconds(4 * 3600)

    /// This program's own command.
    static let own = ChildRecognizer(
        program: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(),
        arguments: [RecogniseRecordingCommand.name], limit: usualLimit)

    /// What the child prints.
    struct Answer: Codable, Equatable, Sendable {
        let text: String
        /// Of sound.
        let seconds: Double
        /// Of it, how much is loud enough to be speech.
        let speechSeconds: Double
    }

    enum Failure: Error, Equatable, CustomStringConvertible {
        case notStarted(reason: String)
        case crashed(signal: Int32)
        /// Its own words are in the log.
        case failed(code: Int32)
        case hung(limit: Duration)
        case unreadableAnswer

        var description: String {
            switch self {
            case .notStarted(let reason): "the recogniser's process cannot be started (\(reason))"
            case .crashed(let signal): "the recogniser crashed (signal \(signal))"
            case .failed(let code): "the recogniser failed (code \(code); the log has its words)"
            case .hung(let limit): "the recogniser was not done after \(limit)"
            case .unreadableAnswer: "the recogniser's answer cannot be read"
            }
        }
    }

    /// - Throws: ``Failure``; `CancellationError` when the task is cancelled, which ends the child.
    func recognise(_ recording: URL) async throws -> Answer {
        let child = Child(program: program, arguments: arguments + [recording.path])
        return try await withTaskCancellationHandler {
            let result = await withCheckedContinuation { continuation in
                // It blocks in poll; the cooperative threads are too few for that.
                Thread.detachNewThread {
                    continuation.resume(returning: Result { try child.run(limit: limit) })
                }
            }
            try Task.checkCancellation()
            return try result.get()
        } onCancel: {
            child.kill()
        }
    }
}

/// One child from its start to its end.
private final class Child: Sendable {
    private struct State {
        let process: Process
        var isKilled = false
    }
    private let state: Mutex<State>
    private let output = Pipe()
    /// Ends the child when this process ends, in whatever way: it watches for the end of its standard input.
    private let lifeline = Pipe()

    init(program: URL, arguments: [String]) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = lifeline
        state = Mutex(State(process: process))
    }

    /// Asks for its death, before its start too; does nothing once it has ended.
    func kill() {
        state.withLock { state in
            state.isKilled = true
            if state.process.isRunning { _ = Glibc.kill(state.process.processIdentifier, SIGKILL) }
        }
    }

    /// Runs it, and blocks until it has ended.
    func run(limit: Duration) throws -> ChildRecognizer.Answer {
        do {
            try state.withLock { state in
                if state.isKilled { throw CancellationError() }
                try state.process.run()
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ChildRecognizer.Failure.notStarted(reason: "\(error)")
        }
        let answer = try readToEnd(until: .now + limit)
        if answer == nil { kill() }
        let (reason, status) = state.withLock { state in
            state.process.waitUntilExit()
            return (state.process.terminationReason, state.process.terminationStatus)
        }
        guard let answer else { throw ChildRecognizer.Failure.hung(limit: limit) }
        if reason == .uncaughtSignal { throw ChildRecognizer.Failure.crashed(signal: status) }
        guard status == 0 else { throw ChildRecognizer.Failure.failed(code: status) }
        do {
            return try JSONDecoder().decode(ChildRecognizer.Answer.self, from: answer)
        } catch {
            throw ChildRecognizer.Failure.unreadableAnswer
        }
    }

    /// All that it prints; nil when the time is over.
    private func readToEnd(until deadline: ContinuousClock.Instant) throws -> Data? {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
            let ready = try waitUntilReadable([descriptor], timeout: Int32(min(left, 1e9)))
            guard !ready.isEmpty else { return nil }
            let count = try retryingInterrupted("read") { read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return all }
            all.append(contentsOf: buffer[..<count])
        }
    }
}
