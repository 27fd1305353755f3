import Foundation

@testable import DictationSpeech

/// A recording in place of a microphone, as fast as it can be read.
struct AudioFileInput: AudioInput {
    let url: URL

    var name: String { "file:\(url.path)" }

    func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
        let url = url
        return AudioFileCapture(
            task: Task {
                do {
                    let file = try AudioFile(url: url)
                    while !Task.isCancelled, let chunk = try file.next() { receive(.samples(chunk.samples)) }
                    receive(.ended(nil))
                } catch {
                    receive(.ended(error))
                }
            })
    }
}

private struct AudioFileCapture: AudioCapture {
    let task: Task<Void, Never>
    let overruns = 0

    func stop(tail: Duration) { task.cancel() }
}
