import DictationSettings
import DictationSpeech
import DictationSystem
import Foundation
import Logging

/// Plays the sounds of ``SoundFlow`` by the settings as they are now.
final class Sounds: Sendable {
    private let player: SoundPlayer
    private let samples: [SoundFlow.Sound: [Int16]]
    private let settings: @Sendable () -> SoundsSettings

    init(settings: @escaping @Sendable () -> SoundsSettings, logger: Logger) {
        player = SoundPlayer(logger: logger)
        self.settings = settings
        var samples: [SoundFlow.Sound: [Int16]] = [:]
        for sound in SoundFlow.Sound.allCases {
            do {
                samples[sound] = try SoundFile.samples(of: sound)
            } catch {
                logger.notice("the sound “\(sound.rawValue)” is missing: \(error)")
            }
        }
        self.samples = samples
    }

    /// Returns at once.
    func play(_ sound: SoundFlow.Sound) {
        let settings = settings()
        guard settings.isPlayed, let samples = samples[sound] else { return }
        let loud = samples.map { Int16(clamping: Int($0) * settings.volume / 100) }
        player.play(loud, on: settings.device)
    }

    func stop() { player.stop() }
}

/// Where the sounds are: the user's own first, then those of the installation, then those of the build.
enum SoundFile {
    struct Missing: Error, CustomStringConvertible {
        let name: String
        let folders: [String]

        var description: String { "\(name) is in none of these folders: \(folders.joined(separator: ", "))" }
    }

    /// Samples of a sound that are played; the rest of a longer one is not.
    private static let longest = 2 * SpeechAudio.sampleRate

    /// - Returns: 16 kHz mono.
    static func samples(of sound: SoundFlow.Sound) throws -> [Int16] {
        let name = "\(sound.rawValue).wav"
        let all = folders()
        guard
            let file = all.map({ $0.appendingPathComponent(name) })
                .first(where: { FileManager.default.fileExists(atPath: $0.path) })
        else { throw Missing(name: name, folders: all.map(\.path)) }
        return Array(try AudioFile.samples(of: file).prefix(longest))
    }

    static func folders(
        program: URL = ChildProcess.thisProgram,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [URL] {
        let bin = program.deletingLastPathComponent()
        return [
            URL(fileURLWithPath: UserFolder.data.path(environment) + "/voicedictation/sounds"),
            bin.deletingLastPathComponent().appendingPathComponent("share/voicedictation/sounds"),
            // SwiftPM's name for copied resources.
            bin.appendingPathComponent("VoiceDictation_DictationHost.resources/Sounds"),
        ]
    }
}
