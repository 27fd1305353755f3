import DictationBus
import DictationService
import DictationSettings
import DictationShared
import Synchronization

/// What is done around a recording: sounds, and players that are paused. All of it by threads of its own: the microphone
/// waits for none of it.
final class Surroundings: Sendable {
    private let sounds: Sounds
    private let players: MediaPlayers
    private let context: AgentContext
    /// The tail of a recording may reach into the next one.
    private let recording = Mutex<Set<DictationID>>([])

    init(_ context: AgentContext) {
        self.context = context
        let settings = context.settings
        sounds = Sounds(settings: { settings.current.sounds }, logger: context.logger)
        players = MediaPlayers(journal: context.group.pausedPlayers, logger: context.logger)
    }

    /// To be called before the microphone is opened: it may fail at once.
    func recordingBegins(_ id: DictationID) { recording.withLock { _ = $0.insert(id) } }

    /// To be called when the microphone is being opened.
    func recordingBegan(_ id: DictationID) {
        sounds.play(.start)
        guard context.settings.current.audio.pausesPlayers else { return }
        recording.withLock { if $0.contains(id) { players.setPaused(true) } }
    }

    /// - Parameter isHeard: whether anything was recorded.
    func recordingEnded(_ id: DictationID, isHeard: Bool) {
        let isLast = recording.withLock { all in
            all.remove(id)
            // Neither music nor a sound is to be in a recording that goes on.
            if all.isEmpty { players.setPaused(false) }
            return all.isEmpty
        }
        if isLast, isHeard { sounds.play(.stop) }
    }

    func play(_ sound: SoundFlow.Sound) { sounds.play(sound) }

    /// Returns when the players play on.
    func stop() async {
        sounds.stop()
        await players.stop()
    }
}
