import DictationDucking
import DictationService
import DictationSettings
import DictationShared
import Synchronization

/// Sounds around a recording, and the playback of others, paused or lowered. Separate threads do all of it: the
/// microphone does not wait for it.
final class Surroundings: Sendable {
    private let sounds: Sounds
    private let players: Ducking
    private let others: Ducking
    private let context: AgentContext
    /// The tail of a recording may reach into the next one.
    private let recording = Mutex<Set<DictationID>>([])

    init(_ context: AgentContext) {
        self.context = context
        let settings = context.settings
        sounds = Sounds(settings: { settings.current.sounds }, logger: context.logger)
        players = .mediaPlayers(journal: context.group.pausedPlayers, logger: context.logger)
        others = .otherStreams(
            journal: context.group.loweredStreams, percent: { settings.current.audio.othersVolume },
            logger: context.logger)
    }

    /// Call it before the microphone is opened: that may fail at once.
    func recordingBegins(_ id: DictationID) { recording.withLock { _ = $0.insert(id) } }

    /// Call it while the microphone is being opened.
    func recordingBegan(_ id: DictationID) {
        sounds.play(.start)
        let audio = context.settings.current.audio
        recording.withLock { all in
            guard all.contains(id) else { return }
            if audio.pausesPlayers { players.setDucked(true) }
            if audio.othersVolume < 100 { others.setDucked(true) }
        }
    }

    /// - Parameter isHeard: whether anything was recorded.
    func recordingEnded(_ id: DictationID, isHeard: Bool) {
        let isLast = recording.withLock { all in
            all.remove(id)
            // A recording that continues must contain neither music nor a sound.
            if all.isEmpty { for noise in [players, others] { noise.setDucked(false) } }
            return all.isEmpty
        }
        if isLast, isHeard { sounds.play(.stop) }
    }

    func play(_ sound: SoundFlow.Sound) { sounds.play(sound) }

    /// Returns when others play on as they did.
    func stop() async {
        sounds.stop()
        await players.stop()
        await others.stop()
    }
}
