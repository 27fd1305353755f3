import Foundation

/// A recording in place of a microphone, as fast as it can be read: for tests, benchmarks, and audio that was left
/// behind by a crash.
public struct AudioFileInput: AudioInput {
    public let url: URL

    public init(url: URL) { self.url = url }

    public var name: String { "file:\(url.path)" }

    public func start() -> any AudioCapture { AudioFileCapture(url: url) }
}

private final class AudioFileCapture: AudioCapture {
    let chunks: AsyncThrowingStream<AudioChunk, any Error>
    private let task: Task<Void, Never>
    let overruns = 0

    init(url: URL) {
        let (stream, output) = AsyncThrowingStream<AudioChunk, any Error>.makeStream()
        chunks = stream
        task = Task {
            do {
                let file = try AudioFile(url: url)
                while !Task.isCancelled, let chunk = try file.next() { output.yield(chunk) }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
    }

    deinit { task.cancel() }

    func stop(tail: Duration) { task.cancel() }
}
