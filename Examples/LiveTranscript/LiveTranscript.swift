import DictationSpeech
import Foundation

/// Prints what is spoken into the microphone, as it is spoken, until Return is pressed or nobody speaks for 3 s.
///
///     swift run live-transcript [ALSA device]
@main
enum LiveTranscript {
    static func main() async throws {
        let device = CommandLine.arguments.dropFirst().first ?? "default"
        let session = SpeechSession(
            input: ALSAInput(device: device), endpointing: Endpointing(silence: .seconds(3)))
        Thread.detachNewThread {
            // Not readLine: exit would wait for it.
            _ = FileHandle.standardInput.availableData
            session.finishRecording()
        }
        do {
            // A volatile result replaces the one before it; a final one stays.
            for try await result in session.startTranscribing() {
                let words = result.plainText
                print("\r\u{1B}[K\(words)", terminator: result.isFinal ? "\n" : "")
                fflush(nil)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
