import Desktop
import DictationSystem

/// Something that happens to a dictation. ``DictationState/applying(_:)`` returns the new state, or refuses it.
public enum DictationTransition: Equatable, Sendable {
    case recordingStarted
    case partial(String)
    /// Its words come when this model is loaded; nil: it is, or cannot be.
    case loading(String?)
    /// This beginning of the text is settled while the user still speaks; it starts with everything that was
    /// settled before.
    case grown(String)
    /// The same, with words that may differ from those that were settled: an inserter may mend what it has
    /// typed.
    case regrown(String)
    /// The claimed part of a growing text is typed as far as possible for now: this many characters of the
    /// whole.
    case paused(Int)
    /// The recording has ended; it was `recording` milliseconds long.
    case processingStarted(recording: Int)
    case recognized(Recognized)
    case failed(DictationFailure)
    case cancelled
    case claimed(by: Claimant)
    /// The window wants other words than the cleaned ones (verbatim, without the last stop): these are typed.
    case adapted(String)
    /// The user should know something about the way it is inserted.
    case noticed(DictationFailure)
    /// It is inserted into its window in this way.
    case routed(InsertionRoute)
    /// This many characters are certainly typed.
    case progress(Int)
    /// All is typed, `milliseconds` after the claim.
    case inserted(milliseconds: Int)
    case held(HoldReason)
    /// The user requests a held text, or again one that was inserted or discarded.
    case requeued
    case discarded
    /// The program that had requested the text has it.
    case handedOver
    /// According to the display, a dead inserter had typed this many Unicode scalars, more than it had
    /// recorded.
    case recounted(scalars: Int)
    /// The user removes what was typed last, or the inserter what it is about to mend; this many characters
    /// are still there.
    case undone(Int)
    /// The words that were typed while the user spoke, and are different by now, are removed as far as
    /// possible. The rest stays, and ``DictationState/revisedText``, which was this one when it was begun,
    /// follows it.
    case mended(String)
    /// The user has edited the inserted text: it is this one now, and this many characters of it are still
    /// there.
    case revised(String, typed: Int, by: Claimant)

    /// A text that is ready.
    public struct Recognized: Equatable, Sendable {
        public var rawText: String
        public var cleanedText: String
        /// ``Delivery/pending`` if nil; otherwise it is held at once.
        public var held: HoldReason?
        public var notice: DictationFailure?
        public var timings: Timings
        /// The engine; nil for the one with which the dictation began.
        public var engine: String?
        /// The language that was found; nil for the one with which the dictation began.
        public var locale: String?
        /// Whether an inserter may mend what it has typed while the user spoke.
        public var mayBeMended = false

        public init(
            rawText: String, cleanedText: String, held: HoldReason? = nil, notice: DictationFailure? = nil,
            timings: Timings = Timings(), engine: String? = nil, locale: String? = nil,
            mayBeMended: Bool = false
        ) {
            self.mayBeMended = mayBeMended
            self.locale = locale
            self.engine = engine
            self.rawText = rawText
            self.cleanedText = cleanedText
            self.held = held
            self.notice = notice
            self.timings = timings
        }
    }

    /// The word for it in messages.
    public var name: String {
        switch self {
        case .recordingStarted: "start recording"
        case .partial: "take a partial result"
        case .loading: "wait for a model"
        case .grown, .regrown: "take settled words"
        case .paused: "pause"
        case .processingStarted: "start processing"
        case .recognized: "take the recognized text"
        case .failed: "fail"
        case .cancelled: "cancel"
        case .claimed: "claim"
        case .adapted: "adapt the text"
        case .noticed: "take a notice"
        case .routed: "record the way"
        case .progress: "record progress"
        case .inserted: "mark as inserted"
        case .held: "hold"
        case .requeued: "insert"
        case .discarded: "discard"
        case .handedOver: "hand over"
        case .recounted: "count again"
        case .undone: "undo"
        case .mended: "mend"
        case .revised: "edit"
        }
    }
}

/// A transition that the table does not have.
public struct TransitionRefused: Error, Equatable, Sendable, CustomStringConvertible {
    public let id: DictationID
    public let status: DictationStatus
    public let delivery: String?
    public let transition: String

    public var description: String {
        "cannot \(transition) dictation \(id): it is \(status.rawValue)\(delivery.map { " (\($0))" } ?? "")"
    }
}

extension DictationState {
    /// The table of allowed transitions; everything else is refused.
    ///
    /// | from | transition | to |
    /// | --- | --- | --- |
    /// | starting | recordingStarted | recording |
    /// | starting, recording, processing | partial, loading | the same |
    /// | starting, recording | processingStarted | processing |
    /// | starting, recording, processing | grown (never other words than before) | the same, its text grows |
    /// | starting, recording, processing | regrown | the same, its text grows, and may have to be mended |
    /// | the text grows, open | claimed (if some of it is not typed), held | the text grows, claimed or held |
    /// | the text grows, claimed | progress, noticed, routed; paused, held; whatever its host reports | see ``Growth`` |
    /// | the text grows, claimed; claimed | undone (to fewer characters), mended | the same |
    /// | the text grows, held | requeued | the text grows, open |
    /// | starting, recording, processing | recognized | ready (pending or held) |
    /// | starting, recording, processing | failed, cancelled | error, cancelled |
    /// | error | recognized, and held: its recording was recognized later | ready (held) |
    /// | error | failed: a later attempt knows better what happened | error |
    /// | pending | claimed, held, discarded | claimed, held, discarded |
    /// | claimed | progress (never backward, never past the end) | claimed |
    /// | claimed | adapted (not what is typed already), noticed, routed | claimed |
    /// | claimed | inserted, held | inserted, held |
    /// | held, inserted, discarded | requeued | pending |
    /// | held because the inserter died | held: the display knows more | held |
    /// | held, but for a command | held: a paste of it may have arrived | held |
    /// | held | discarded | discarded |
    /// | held because a command asked for it | handedOver | inserted |
    /// | pending, held; any text that grew | recounted (never backward) | the same, or inserted if all was typed |
    /// | inserted, held, the text grows | undone (to fewer characters) | held |
    /// | error, cancelled | undone: the display knows that less of it is left | the same |
    /// | inserted, held because it was undone | revised (to another text) | claimed |
    /// | pending or claimed, without a text: a command | failed | error |
    ///
    /// - Throws: ``TransitionRefused``.
    public func applying(_ transition: DictationTransition) throws -> DictationState {
        var next = try growing(transition) ?? applyingToWhole(transition)
        if !next.mayBeMended { next.revisedText = nil }
        return next
    }

    /// All transitions but those that are only of a text that grows.
    private func applyingToWhole(_ transition: DictationTransition) throws -> DictationState {
        var next = self
        switch (phase, transition) {
        case (.starting, .recordingStarted):
            next.phase = .recording
        case (.starting, .partial(let text)), (.recording, .partial(let text)),
            (.processing, .partial(let text)):
            next.partialText = text.withoutControls
        case (.starting, .loading(let model)), (.recording, .loading(let model)),
            (.processing, .loading(let model)):
            next.loadingModel = model
        case (.starting, .processingStarted(let duration)), (.recording, .processingStarted(let duration)):
            next.phase = .processing
            next.timings.recording = duration
        case (.starting, .recognized(let text)), (.recording, .recognized(let text)),
            (.processing, .recognized(let text)):
            next.take(text)
        case (.failed, .recognized(let text)) where text.held != nil:
            // Much may have happened since it was spoken: only the user's word types it.
            next.take(text)
        case (.starting, .failed(let failure)), (.recording, .failed(let failure)),
            (.processing, .failed(let failure)), (.failed, .failed(let failure)):
            next.phase = .failed(failure)
            next.endGrowth()
        case (.ready(.pending), .failed(let failure)) where cleanedText.isEmpty,
            (.ready(.claimed), .failed(let failure)) where cleanedText.isEmpty:
            next.phase = .failed(failure)
        case (.starting, .cancelled), (.recording, .cancelled), (.processing, .cancelled):
            next.phase = .cancelled
            next.partialText = ""
            next.endGrowth()
        case (.ready(.pending), .claimed(let claimant)):
            next.phase = .ready(.claimed(by: claimant))
            next.growth = nil
        case (.ready(.claimed), .adapted(let text)) where isKept(in: text.withoutControls):
            next.cleanedText = text.withoutControls
        case (.ready(.claimed), .noticed(let notice)):
            next.notice = notice
        case (.ready(.claimed), .routed(let route)):
            next.route = route
        case (.ready(.claimed), .progress(let count))
        where (insertedCount...cleanedText.count).contains(count):
            next.setInserted(count, torn: count == insertedCount ? tornScalars : 0)
        case (.ready(.claimed), .inserted(let milliseconds)):
            next.phase = .ready(.inserted)
            next.setInserted(cleanedText.count)
            next.timings.typing = milliseconds
        case (.ready(.pending), .held(let reason)), (.ready(.claimed), .held(let reason)):
            next.phase = .ready(.held(reason))
            next.endGrowth()
        case (.ready(.held(.inserterDied)), .held(let reason)),
            (.ready(.held), .held(let reason)) where isExplained(by: reason):
            next.phase = .ready(.held(reason))
        case (.ready(.held), .requeued):
            next.phase = .ready(.pending)
        case (.ready(.inserted), .requeued), (.ready(.discarded), .requeued):
            next.phase = .ready(.pending)
            next.setInserted(0)
            next.route = nil
        case (.ready(.inserted), .undone(let count)) where (0..<cleanedText.count).contains(count),
            (.ready(.held), .undone(let count)) where (0..<insertedCount).contains(count):
            next.phase = .ready(.held(.undone))
            next.setInserted(count)
        case (.ready(.claimed), .undone(let count)) where (0..<insertedCount).contains(count):
            next.setInserted(count)
        case (.ready(.claimed), .mended(let revised)) where revisedText ?? revised == revised:
            next.mend()
        case (.failed, .undone(let count)) where (0..<insertedCount).contains(count),
            (.cancelled, .undone(let count)) where (0..<insertedCount).contains(count):
            next.setInserted(count)
        case (.ready(.inserted), .revised(let text, let typed, let claimant))
        where (0...text.count).contains(typed) && text.withoutControls == text,
            (.ready(.held(.undone)), .revised(let text, let typed, let claimant))
        where (0...text.count).contains(typed) && text.withoutControls == text:
            next.phase = .ready(.claimed(by: claimant))
            next.cleanedText = text
            next.setInserted(typed)
        case (.ready(.pending), .discarded), (.ready(.held), .discarded):
            next.phase = .ready(.discarded)
            next.endGrowth()
        case (.ready(.held(.askedFor)), .handedOver):
            next.phase = .ready(.inserted)
            next.setInserted(cleanedText.count)
        case (.ready(.pending), .recounted(let scalars)) where mayRecount(scalars),
            (.ready(.held), .recounted(let scalars)) where mayRecount(scalars):
            next.setInserted(scalars: scalars)
            if next.remainder.isEmpty {
                next.phase = .ready(.inserted)
                next.endGrowth()
            }
        default:
            throw TransitionRefused(
                id: id, status: status, delivery: delivery?.name, transition: transition.name)
        }
        return next
    }

    /// Whether the display knows a better reason why a text is held than the present one.
    func isExplained(by reason: HoldReason) -> Bool {
        if delivery == .held(.inserterDied) || heldGrowth == .inserterDied { return true }
        // It may have been held for another reason while a piece of it was pasted.
        guard reason == .pasteUnsure, let held = delivery?.heldReason else { return false }
        return held != .askedFor && held != .pasteUnsure
    }

    func mayRecount(_ scalars: Int) -> Bool {
        (typedScalars...cleanedText.unicodeScalars.count).contains(scalars)
    }

    mutating func setInserted(_ count: Int, torn: Int = 0) {
        (insertedCount, tornScalars) = (count, torn)
    }

    mutating func setInserted(scalars: Int) {
        let (count, torn) = characters(in: scalars)
        setInserted(count, torn: torn)
    }

    /// Whether another text includes the typed part of this one.
    package func isKept(in text: String) -> Bool {
        text.unicodeScalars.starts(with: cleanedText.unicodeScalars.prefix(typedScalars))
    }

    private mutating func take(_ text: DictationTransition.Recognized) {
        let (held, kept) = (text.held ?? heldGrowth, keptText)
        phase = .ready(held.map(Delivery.held) ?? .pending)
        partialText = ""
        loadingModel = nil
        // The one door for what recognizers, servers and files say.
        rawText = text.rawText.withoutControls
        let whole = LiveJoin(kept, text.cleanedText.withoutControls)
        cleanedText = whole.text
        wrongCommits = whole.wrongWords
        let final = text.cleanedText.withoutControls
        // A text without words is that of a command.
        revisedText =
            text.mayBeMended && !final.isEmpty && !final.hasScalars(of: kept) ? final : nil
        if held != nil { endGrowth() }
        notice = text.notice
        timings = text.timings
        if let engine = text.engine { self.engine = engine }
        if let locale = text.locale { self.locale = locale }
    }
}
