import Dispatch
import Foundation

/// One line that a program wrote.
public struct OutputLine: Equatable, Sendable {
    public enum Stream: Sendable { case output, errors }

    /// Its place among all lines of both streams, from 0.
    public let number: Int
    public let stream: Stream
    /// Without the line end.
    public let text: String
    /// When its end arrived in the test's process.
    public let arrival: ContinuousClock.Instant
}

/// The output of a program so far, and the tasks that wait for more.
final class Transcript: Sendable {
    /// The output at one instant.
    struct Contents: Sendable {
        var output = Data()
        var errors = Data()
        var lines: [OutputLine] = []
        var status: ExitStatus?
        /// When the last bytes of stdout arrived.
        var lastOutput: ContinuousClock.Instant?
        fileprivate var openStreams: Set<OutputLine.Stream> = [.output, .errors]
        fileprivate var begunLines: [OutputLine.Stream: Data] = [:]

        /// The program has ended, and all that it wrote is here.
        var isComplete: Bool { status != nil && openStreams.isEmpty }
        var outputText: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    private let observed = Observed(Contents())
    private let ended = DispatchGroup()

    init() { ended.enter() }

    var contents: Contents { observed.value }

    func append(_ data: Data, to stream: OutputLine.Stream) {
        let now = ContinuousClock.now
        change { contents in
            switch stream {
            case .output:
                contents.output.append(data)
                contents.lastOutput = now
            case .errors: contents.errors.append(data)
            }
            var rest = contents.begunLines[stream, default: Data()] + data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                contents.addLine(rest[rest.startIndex..<end], stream, now)
                rest = Data(rest[rest.index(after: end)...])
            }
            contents.begunLines[stream] = rest
        }
    }

    /// This stream has ended; a line without a newline counts as a line.
    func close(_ stream: OutputLine.Stream) {
        change { contents in
            guard contents.openStreams.remove(stream) != nil else { return }
            if let rest = contents.begunLines.removeValue(forKey: stream), !rest.isEmpty {
                contents.addLine(rest, stream, .now)
            }
        }
    }

    func end(_ status: ExitStatus) {
        change { $0.status = status }
        ended.leave()
    }

    /// For `deinit`, which cannot await.
    func blockUntilEnded(seconds: Double) -> Bool {
        ended.wait(timeout: .now() + seconds) == .success
    }

    /// Calls `look` with the contents now and after each change, until it returns a result or the time is
    /// over (nil).
    func wait<Answer>(within limit: Duration, _ look: (Contents) -> Answer?) async -> Answer? {
        await observed.wait(within: limit, look)
    }

    private func change(_ body: (inout Contents) -> Void) { observed.change(body) }
}

extension Transcript.Contents {
    fileprivate mutating func addLine(
        _ bytes: Data, _ stream: OutputLine.Stream, _ now: ContinuousClock.Instant
    ) {
        let text = String(decoding: bytes, as: UTF8.self)
        lines.append(OutputLine(number: lines.count, stream: stream, text: text, arrival: now))
    }
}
