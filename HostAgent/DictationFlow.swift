import Desktop
import DictationShared
import DictationSystem

/// Decides what the host does about keys and requests: a pure value, without clock, store or sound.
///
///     hotkey pressed (Firefox focused) ─► begin 1, grab Escape
///     hotkey released after 2 s ────────► finish 1
///     hotkey pressed ───────────────────► begin 2 (while 1 is still being recognized)
///     Escape ───────────────────────────► cancel 2
///     Escape ───────────────────────────► hold 1
///     1 and 2 have ended ───────────────► give Escape back
///
/// Escape cancels the recording. Pressed again, it holds a dictation that is being recognized or cleaned, the newest first.
/// From the first key on, Escape is the inserter's.
///
/// Each dictation carries a number, so that the late end of one is not mistaken for the end of the next.
struct DictationFlow: Equatable {
    typealias Number = Int

    enum Event: Equatable {
        /// The options are those of a dictation that begins with it.
        case hotkeyPressed(
            at: ContinuousClock.Instant, focus: WindowInfo?, options: StartOptions = StartOptions())
        case hotkeyReleased(at: ContinuousClock.Instant)
        case cancelKeyPressed
        /// The session is locked, in the background, or about to sleep.
        case userLeft
        /// A client asks; `focus` is the window that has the focus now, `absence` says why the user is not there.
        case asked(
            Intent.RecordingRequest, intent: Int64, focus: WindowInfo?, absence: String? = nil)
        /// A client asks for a change of the selected text.
        case askedToTransform(
            Intent.TransformRequest, intent: Int64, focus: WindowInfo?, absence: String? = nil)
        /// A key that the compositor has bound was pressed or released, as a client reports.
        case boundKey(
            BoundKey.Change, intent: Int64, focus: WindowInfo?, absence: String? = nil,
            options: StartOptions = StartOptions())
        /// A recording has ended: by silence, or with its microphone. Its words are being recognized.
        case recordingEnded(Number)
        /// The words of a recording so far are "stop listening", and a pause has followed them.
        case stopHeard(Number)
        /// A dictation is over: its text is in the store, or it failed.
        case ended(Number)
        case shutDown
    }

    enum Effect: Equatable {
        /// Records, unless the instruction for the selected text is known already.
        case begin(Number, focus: WindowInfo?, StartOptions = StartOptions())
        /// The user has stopped speaking: recognize the rest. If it is held, a command waits for the text,
        /// and nothing is typed. After a brief press the text counts only if that was meant.
        case finish(Number, isHeld: Bool = false, press: BriefPress? = nil)
        case cancel(Number)
        /// The text is kept, but not typed.
        case hold(Number)
        case grabCancelKey(Bool)
        case answer(intent: Int64, Answer)
    }

    enum Answer: Equatable {
        case started(Number)
        case stopped(Number)
        case cancelled(Number)
        /// The model is being asked.
        case transforming(Number)
        /// The change of a bound key was noted.
        case noted
        case refused(String)
    }

    /// Why a start is refused while a dictation is recorded.
    static let alreadyRecording = "already recording; it ends with: dictstate stop"

    private enum State: Equatable {
        case idle
        case recording(Number)
        /// No dictation begins any more.
        case shutDown
    }
    private var state = State.idle
    /// Those whose last words are being recognized, oldest first.
    private var finishing: [Number] = []
    /// Those that are held, for a command or by Escape.
    private var held: Set<Number> = []
    /// Those that will produce no text: they end when those before them have ended.
    private var cancelled: Set<Number> = []
    private var gesture: HotkeyGesture
    private var boundKey = BoundKey()
    /// Of the last press of the bound key.
    private var boundKeyOptions = StartOptions()
    /// Whether the hotkey that is down does its work with one press.
    private var isTapped = false
    private var last: Number = 0

    /// Whether a key that others report is down.
    var isBoundKeyDown: Bool { boundKey.isDown }

    var isRecording: Bool { recording != nil }

    private var recording: Number? {
        if case .recording(let number) = state { number } else { nil }
    }

    init(holdThreshold: Duration = HotkeyGesture.defaultHoldThreshold) {
        gesture = HotkeyGesture(holdThreshold: holdThreshold)
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .hotkeyPressed(let instant, let focus, let options):
            guard state != .shutDown else { return [] }
            isTapped = options.isTap
            if isTapped { return transform(focus: focus, options) }
            return carryOut(gesture.handle(.pressed(at: instant)), focus: focus, options)
        case .hotkeyReleased(let instant):
            // The gesture knows of no press of it.
            if isTapped {
                isTapped = false
                return []
            }
            return carryOut(gesture.handle(.released(at: instant)), focus: nil)
        case .cancelKeyPressed:
            let effects = carryOut(gesture.handle(.cancelled), focus: nil)
            guard recording == nil, effects.isEmpty,
                let number = finishing.last(where: { !held.contains($0) && !cancelled.contains($0) })
            else { return effects }
            held.insert(number)
            return [.hold(number)]
        case .userLeft:
            _ = gesture.handle(.endedElsewhere)
            return endRecording { .finish($0) }
        case .asked(let request, let intent, let focus, let absence):
            return handle(request, focus: focus, absence: absence) { .answer(intent: intent, $0) }
        case .askedToTransform(let request, let intent, let focus, let absence):
            return handle(request, focus: focus, absence: absence) { .answer(intent: intent, $0) }
        case .boundKey(let change, let intent, let focus, let absence, let options):
            if case .pressed = change {
                if options.isTap {
                    return handle(.start(options), focus: focus, absence: absence) {
                        .answer(intent: intent, $0)
                    }
                }
                boundKeyOptions = options
            }
            return handle(change, focus: focus, absence: absence) { .answer(intent: intent, $0) }
        case .recordingEnded(let number):
            guard recording == number else { return [] }
            _ = gesture.handle(.endedElsewhere)
            return endRecording { .finish($0) }
        case .stopHeard(let number):
            guard recording == number else { return [] }
            _ = gesture.handle(.endedElsewhere)
            // Words after "stop listening" belong to no text.
            return cancelRecording()
        case .ended(let number):
            finishing.removeAll { $0 == number }
            held.remove(number)
            cancelled.remove(number)
            if recording == number {
                state = .idle
                _ = gesture.handle(.endedElsewhere)
            }
            return recording == nil && finishing.isEmpty ? [.grabCancelKey(false)] : []
        case .shutDown:
            defer { state = .shutDown }
            return endRecording { .finish($0) }
        }
    }

    private mutating func handle(
        _ request: Intent.RecordingRequest, focus: WindowInfo?, absence: String?, answer: (Answer) -> Effect
    ) -> [Effect] {
        if let options = request.options, options.isTap {
            if let refusal = refusal(absence, "changed") { return [answer(refusal)] }
            return transform(focus: focus, options) + [answer(.transforming(last))]
        }
        switch (request, recording) {
        case (.start, .some):
            return [answer(.refused(Self.alreadyRecording))]
        case (.start, nil), (.toggle, nil):
            if let refusal = refusal(absence, "recorded") { return [answer(refusal)] }
            _ = gesture.handle(.startedElsewhere)
            let effects = begin(focus: focus, request.options ?? StartOptions())
            return effects + [answer(.started(last))]
        case (.stop(let isHeld), let number?):
            _ = gesture.handle(.endedElsewhere)
            if isHeld { held.insert(number) }
            return endRecording { .finish($0, isHeld: isHeld) } + [answer(.stopped(number))]
        case (.toggle, let number?):
            _ = gesture.handle(.endedElsewhere)
            return endRecording { .finish($0) } + [answer(.stopped(number))]
        case (.cancel, let number?):
            _ = gesture.handle(.endedElsewhere)
            return cancelRecording() + [answer(.cancelled(number))]
        case (.cancel, nil):
            guard let number = finishing.last(where: { !cancelled.contains($0) }) else {
                return [answer(.refused("nothing is being recorded"))]
            }
            cancelled.insert(number)
            return [.cancel(number), answer(.cancelled(number))]
        case (.stop, nil):
            return [answer(.refused("nothing is being recorded"))]
        }
    }

    private mutating func handle(
        _ request: Intent.TransformRequest, focus: WindowInfo?, absence: String?,
        answer: (Answer) -> Effect
    ) -> [Effect] {
        if let number = recording, request.instruction == nil {
            _ = gesture.handle(.endedElsewhere)
            return endRecording { .finish($0) } + [answer(.stopped(number))]
        }
        if let refusal = refusal(absence, "changed") { return [answer(refusal)] }
        let options = StartOptions(
            isPrivate: request.isPrivate, transform: request.instruction.map(SelectionChange.fixed) ?? .spoken
        )
        if options.isTap { return transform(focus: focus, options) + [answer(.transforming(last))] }
        _ = gesture.handle(.startedElsewhere)
        let effects = begin(focus: focus, options)
        return effects + [answer(.started(last))]
    }

    /// Why nothing begins now; nil if it does.
    private func refusal(_ absence: String?, _ verb: String) -> Answer? {
        if let absence { return .refused("\(absence); nothing is \(verb)") }
        return state == .shutDown ? .refused("host-agent is stopping") : nil
    }

    /// Changes the selected text by a given instruction. Another dictation may be recorded at the same time.
    private mutating func transform(focus: WindowInfo?, _ options: StartOptions) -> [Effect] {
        last += 1
        finishing.append(last)
        return [.begin(last, focus: focus, options), .grabCancelKey(true)]
    }

    private mutating func handle(
        _ change: BoundKey.Change, focus: WindowInfo?, absence: String?, answer: (Answer) -> Effect
    ) -> [Effect] {
        if case .pressed = change, recording == nil, let refusal = refusal(absence, "recorded") {
            return [answer(refusal)]
        }
        let before = recording
        var effects: [Effect] = []
        for change in boundKey.handle(change) {
            let decision =
                switch change {
                case .pressed(let instant): gesture.handle(.pressed(at: instant))
                case .released(let instant): gesture.handle(.released(at: instant))
                }
            effects += carryOut(decision, focus: focus, boundKeyOptions)
        }
        guard let recording, recording != before else { return effects + [answer(.noted)] }
        return effects + [answer(.started(recording))]
    }

    private mutating func carryOut(
        _ decision: HotkeyGesture.Decision, focus: WindowInfo?, _ options: StartOptions = StartOptions()
    ) -> [Effect] {
        switch decision {
        case .nothing: []
        case .start: recording == nil ? begin(focus: focus, options) : []
        case .stop: endRecording { .finish($0) }
        case .stopBrief(let press): endRecording { .finish($0, press: press) }
        case .cancel: cancelRecording()
        }
    }

    private mutating func begin(focus: WindowInfo?, _ options: StartOptions) -> [Effect] {
        last += 1
        state = .recording(last)
        return [.begin(last, focus: focus, options), .grabCancelKey(true)]
    }

    private mutating func cancelRecording() -> [Effect] {
        if let number = recording { cancelled.insert(number) }
        return endRecording { .cancel($0) }
    }

    private mutating func endRecording(_ effect: (Number) -> Effect) -> [Effect] {
        guard let number = recording else { return [] }
        state = .idle
        finishing.append(number)
        return [effect(number)]
    }
}

extension StartOptions {
    /// Whether nothing is recorded: one press is all.
    var isTap: Bool { if case .fixed? = transform { true } else { false } }
}
