import DictationShared

/// The picture that the overlay shows: a pure value.
public enum OverlayScene: Equatable, Sendable {
    case hidden
    /// With the words so far; the sound is drawn next to them.
    /// The first `typed` characters are in the window already. The label says how the dictation differs from the settings.
    case recording(text: String, typed: Int = 0, label: String = "")
    case processing(text: String)
    case inserted(text: String)
    /// Why, and what to do.
    case held(reason: String, advice: String)
    case error(message: String)

    /// Whether a click makes it go away; clicks go through all others.
    public var takesClick: Bool { if case .error = self { true } else { false } }

    /// The word for it, as the window's name.
    var name: String {
        switch self {
        case .hidden: "hidden"
        case .recording: "recording"
        case .processing: "processing"
        case .inserted: "inserted"
        case .held: "held"
        case .error: "error"
        }
    }
}

/// The sound of a recording as it is drawn: how long it is, and how loud its last seconds were.
public struct OverlaySound: Equatable, Sendable {
    /// From one frame to the next, and the time of a bar of the waveform: 30 a second, as the meter has. The
    /// blocks of the microphone would cause frames after sometimes 30 and sometimes 40 ms, so frames follow
    /// the clock.
    public static let frame = Duration.nanoseconds(33_333_333)
    /// As many bars as the widest overlay shows: two seconds.
    static let capacity = 60

    public private(set) var milliseconds = 0
    /// As high as they are drawn, from 0 to 1, the newest last.
    public private(set) var levels: [Double] = []
    /// How many frames there were.
    public private(set) var frames = 0
    /// The loudest since the last frame; nil if nothing has come.
    private var loudest: Double?
    /// The loudest sample so far, in dB relative to full scale.
    private var peak = -Double.infinity

    /// A headset that changes its profile gives silence for two seconds.
    private static let silenceTime = 3_000
    /// The noise of a quiet room is louder than this in any microphone that is on; a muted one gives zeros.
    private static let silence = -80.0

    /// Whether there was only silence for so long that the microphone is probably muted.
    var isSilent: Bool { milliseconds >= Self.silenceTime && peak < Self.silence }

    public init() {}

    /// - Parameters:
    ///   - decibels: of the loudest sample, relative to full scale.
    ///   - milliseconds: of all sound so far.
    mutating func add(_ decibels: Double, at milliseconds: Int) {
        loudest = max(loudest ?? 0, SoundBar.height(ofPeak: decibels))
        peak = max(peak, decibels)
        self.milliseconds = milliseconds
    }

    /// Makes a bar of what has come since the last frame.
    ///
    /// - Returns: whether anything has.
    mutating func takeFrame() -> Bool {
        guard let loudest else { return false }
        self.loudest = nil
        frames += 1
        levels.append(loudest)
        if levels.count > Self.capacity { levels.removeFirst() }
        return true
    }
}

/// Decides which scene follows which event: events in, a scene out; no clock, no display.
///
///     began ────────────► recording
///     recording ended ──► processing
///     inserted ─────────► inserted ─► (0.9 s) hidden
///     failed ───────────► error ────► (5 s, or a click) hidden
///     canceled ─────────► hidden; later results change nothing
///     Escape ───────────► held, before the text is there
///
/// It follows the dictation that began last in this process; events of earlier ones do not cover it. Frames
/// of a recording begin with its sound, and rest while none comes.
public struct OverlayFlow: Equatable, Sendable {
    public enum Event: Equatable, Sendable {
        /// With how it differs from the settings, if it does.
        case began(DictationID, String = "")
        /// A model is loaded for it first; nil: it is there.
        case loading(DictationID, String?)
        /// Something to know with the next dictation: it is shown until the first words come.
        case hint(String)
        case sound(decibels: Double, milliseconds: Int)
        /// The words of a recording so far; the store's changes may come without them.
        case words(DictationID, SpokenText)
        /// The answer of a language model so far.
        case answer(DictationID, String)
        case changed(DictationState)
        /// The user gave it up.
        case cancelled(DictationID)
        /// The user pressed Escape while its last words are recognized: it is kept, and not typed.
        case kept(DictationID)
        case clicked
        /// The session is locked: nothing may be visible over the locker.
        case userLeft
        case timePassed
    }

    /// How long the scenes stay that go by themselves.
    public struct Times: Equatable, Sendable {
        /// Long enough to be noticed in passing.
        public var inserted = Duration.milliseconds(900)
        public var error = Duration.seconds(5)
        /// Enough time to read two sentences.
        public var held = Duration.seconds(7)
        /// A text that is not typed by then waits, or there is no insert-agent.
        public var waiting = Duration.seconds(4)

        public init() {}
    }

    private let times: Times
    public private(set) var scene = OverlayScene.hidden
    public private(set) var sound = OverlaySound()
    /// When the next change without an event is due; nil for never.
    public private(set) var deadline: ContinuousClock.Instant?
    private(set) var dictation: DictationID?
    /// Whether the user has ended it with a key, and sees so before the store says it.
    private var isStopped = false
    private var hint: String?
    /// How the dictation differs from the settings.
    private var label = ""
    private var loadingModel: String?

    /// The key that types a held text into the focused window; nil if there is none.
    public var heldHotkey: String?
    /// Whether an insert-agent runs: then a text that is not typed waits for its window, or for the one
    /// before it.
    public var hasInserter = false

    public init(times: Times = Times()) { self.times = times }

    private var advice: String {
        heldHotkey.map { "Press \($0) to type it at the cursor" }
            ?? "Type it with: dictstate insert --after 3"
    }

    /// Whether ``deadline`` is that of a picture of the sound, and not that of the scene.
    var awaitsFrame: Bool { if case .recording = scene { true } else { false } }

    /// - Returns: whether there is something new to see.
    public mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Bool {
        let before = scene
        switch event {
        case .began(let id, let label):
            dictation = id
            isStopped = false
            self.label = label
            loadingModel = nil
            sound = OverlaySound()
            show(.recording(text: hint ?? "", label: label))
            hint = nil
            return true
        case .loading(let id, let model):
            guard id == dictation else { return false }
            changeNote { $0.loadingModel = model }
        case .hint(let text):
            hint = text
            return false
        case .sound(let decibels, let milliseconds):
            guard case .recording = scene else { return false }
            changeNote { $0.sound.add(decibels, at: milliseconds) }
            let isFrame = deadline == nil && takeFrame(at: now)
            return isFrame || scene != before
        case .words(let id, let text):
            // Between two frames.
            if case .recording = scene, id == dictation { scene = recording(text) }
        case .answer(let id, let text):
            if case .processing = scene, id == dictation { scene = .processing(text: text) }
        case .changed(let state):
            if state.id == dictation { follow(state, at: now) }
        case .cancelled(let id):
            if id == dictation { stop(showing: .hidden) }
        case .kept(let id):
            guard id == dictation else { break }
            let reason = HoldReason.escapePressed.explanation
            stop(showing: .held(reason: reason, advice: "The text is kept, but not typed"))
        case .clicked:
            if scene.takesClick { show(.hidden) }
        case .userLeft:
            dictation = nil
            show(.hidden)
        case .timePassed:
            guard let deadline, now >= deadline else { return false }
            if case .recording = scene { return takeFrame(at: now) }
            leave(at: now)
        }
        return scene != before
    }

    private mutating func follow(_ state: DictationState, at now: ContinuousClock.Instant) {
        // A command has no text.
        let words = state.isCommand ? state.rawText : state.cleanedText
        switch state.phase {
        case .starting where isStopped, .recording where isStopped, .processing where isStopped: break
        case .starting, .recording:
            let text = state.spokenText
            guard case .recording = scene else { return show(recording(text)) }
            if !text.whole.isEmpty { scene = recording(text) }
        case .processing: show(.processing(text: state.partialText))
        case .ready(.pending): show(.processing(text: words), until: now + times.waiting)
        case .ready(.claimed): show(.processing(text: words))
        case .ready(.inserted) where state.timings.typing != nil:
            show(.inserted(text: words), until: now + times.inserted)
        // A command has it.
        case .ready(.held(.askedFor)), .ready(.inserted): show(.hidden)
        case .ready(.held(let reason)):
            show(
                .held(reason: reason.explanation, advice: advice),
                until: now + times.held)
        case .failed(let failure): show(.error(message: failure.message), until: now + times.error)
        case .ready(.discarded), .cancelled: show(.hidden)
        }
    }

    private mutating func stop(showing scene: OverlayScene) {
        isStopped = true
        show(scene)
    }

    private func recording(_ text: SpokenText) -> OverlayScene {
        if let reason = text.held {
            return .recording(text: "Held: \(reason.explanation). \(advice)", label: label)
        }
        if text.whole.isEmpty { return .recording(text: note, label: label) }
        return .recording(text: text.whole, typed: text.typed.count, label: label)
    }

    /// Shown as long as there are no words.
    private var note: String {
        if let loadingModel {
            return "Loading \(loadingModel). Keep speaking: the words appear when it is loaded."
        }
        return sound.isSilent ? "Only silence comes from the microphone. Is it muted?" : ""
    }

    /// Shows the note after a change. It never replaces words.
    private mutating func changeNote(_ change: (inout OverlayFlow) -> Void) {
        let old = note
        change(&self)
        guard note != old, case .recording(let text, 0, _) = scene, text.isEmpty || text == old else {
            return
        }
        scene = recording(SpokenText(tentative: ""))
    }

    private mutating func takeFrame(at now: ContinuousClock.Instant) -> Bool {
        let isNew = sound.takeFrame()
        // By the clock, and not by when this thread came to it; one that is late begins again.
        let next = (deadline ?? now) + OverlaySound.frame
        deadline = isNew ? (next > now ? next : now + OverlaySound.frame) : nil
        return isNew
    }

    private mutating func leave(at now: ContinuousClock.Instant) {
        if case .processing = scene, !hasInserter {
            show(
                .held(
                    reason: "insert-agent does not run", advice: "The text is safe: dictstate insert types it"
                ),
                until: now + times.held)
        } else {
            show(.hidden)
        }
    }

    private mutating func show(_ scene: OverlayScene, until deadline: ContinuousClock.Instant? = nil) {
        self.scene = scene
        self.deadline = deadline
    }
}
