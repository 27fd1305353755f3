import Desktop
import DictationSystem
import Foundation

/// One dictation as all processes see it: a row of the store.
public struct DictationState: Equatable, Sendable, Identifiable {
    /// Status, delivery and failure in one value, so that a delivery without a text, or an error without a reason,
    /// cannot be written down.
    public enum Phase: Equatable, Sendable {
        case starting
        case recording
        case processing
        case ready(Delivery)
        case failed(DictationFailure)
        case cancelled
    }

    public let id: DictationID
    /// The store's own number for it: dictations are typed in this order.
    var spoken: Int64 = 0
    /// The commit that last changed this dictation.
    public internal(set) var revision: Revision
    /// When the dictation began.
    public let timestamp: Date
    public internal(set) var phase: Phase
    /// The words so far from the recognizer; replaced, never appended to, and empty once the text is ready.
    public internal(set) var partialText = ""
    /// As recognized.
    public internal(set) var rawText = ""
    /// The text to type.
    public internal(set) var cleanedText = ""
    /// How many characters (as a user counts them) of ``cleanedText`` are certainly typed.
    public internal(set) var insertedCount = 0
    /// How many Unicode scalars of the next character are typed as well: one of several keys (“é” of a letter
    /// and an accent, a flag), and the inserter was killed between them. Nearly always 0.
    public internal(set) var tornScalars = 0
    /// The way that its text goes or went into a window; nil before, and if the inserter died before it said so.
    public internal(set) var route: InsertionRoute?
    /// The window that had the focus when recording began.
    public let target: WindowInfo?
    /// A problem that did not affect the text.
    public internal(set) var notice: DictationFailure?
    /// The engine, such as `pocketsphinx`; once there is a text, the one that recognized it: another engine
    /// may have replaced a server.
    public internal(set) var engine: String
    /// The ``engine`` of a text that was never spoken.
    package static let noEngine = "text"
    public var isSpoken: Bool { engine != Self.noEngine }
    /// The ``locale`` of a text that was given to `dictstate insert`: undetermined, by BCP 47.
    package static let noLanguage = "und"
    /// Whether it is such a text, which is typed independent of the settings for dictations.
    public var isAskedFor: Bool { !isSpoken && locale == Self.noLanguage }
    /// BCP 47, such as `en-US`. `auto` until the model has detected it, and if the text does not show it.
    public internal(set) var locale: String
    /// It is removed when it is done.
    public internal(set) var isPrivate = false
    /// It is typed unchanged: nothing is put before it, and no word is adapted to its window.
    public internal(set) var isExact = false
    /// Set while ``cleanedText`` is typed, or may be typed, before all of it is known; see ``Growth``.
    public internal(set) var growth: Growth?
    /// The text as it should be, if some words of ``cleanedText`` that were typed while the user spoke are
    /// wrong by now. An inserter that can remove them types this text; otherwise ``cleanedText`` is typed to
    /// its end.
    public internal(set) var revisedText: String?
    /// How many words that were typed while the user spoke are different in the whole text.
    public internal(set) var wrongCommits = 0
    /// How it differs from the settings.
    public internal(set) var options = StartOptions()
    /// The model that is being loaded for it; its words come once that is done. Nil if it waits for no model.
    public internal(set) var loadingModel: String?
    public internal(set) var timings = Timings()

    public var status: DictationStatus {
        switch phase {
        case .starting: .starting
        case .recording: .recording
        case .processing: .processing
        case .ready: .ready
        case .failed: .error
        case .cancelled: .cancelled
        }
    }

    /// Nil until the text is ready.
    public var delivery: Delivery? {
        if case .ready(let delivery) = phase { delivery } else { nil }
    }

    /// The inserter that types some of it at this moment.
    var claimant: Claimant? {
        if case .claimed(let claimant) = growth { return claimant }
        if case .claimed(let claimant) = delivery { return claimant }
        return nil
    }

    /// The failure that ended the dictation, or the one that it outlived.
    public var error: DictationFailure? {
        if case .failed(let failure) = phase { failure } else { notice }
    }

    /// The part of ``cleanedText`` that is not certainly typed; it may begin in the middle of a character.
    public var remainder: String {
        String(cleanedText.dropFirst(insertedCount).unicodeScalars.dropFirst(tornScalars))
    }

    /// Whether it is a command that waits for its turn, or has it: it has no text.
    public var isCommand: Bool { status == .ready && cleanedText.isEmpty && !rawText.isEmpty }

    /// Whether some of it is typed.
    public var isBegun: Bool { insertedCount > 0 || tornScalars > 0 }

    /// How many Unicode scalars of ``cleanedText`` are certainly typed.
    public var typedScalars: Int {
        cleanedText.prefix(insertedCount).unicodeScalars.count + tornScalars
    }

    /// How many whole characters of ``cleanedText`` its first `scalars` Unicode scalars are, and how many
    /// scalars remain.
    public func characters(in scalars: Int) -> (count: Int, torn: Int) {
        var (count, left) = (0, scalars)
        for character in cleanedText {
            let size = character.unicodeScalars.count
            if size > left { return (count, left) }
            left -= size
            count += 1
        }
        return (count, 0)
    }

    /// Whether it has ended, and nothing would be lost with it: it was inserted, discarded or canceled,
    /// or failed with nothing kept. A held text waits for the user's request.
    public var isDone: Bool {
        if isGrowthClaimed { return false }
        return switch phase {
        case .ready(.inserted), .ready(.discarded), .cancelled: true
        case .failed(let failure): failure.kept == nil
        case .starting, .recording, .processing, .ready: false
        }
    }

    /// Whether something is still to be done for it without the user's word.
    public var isUnfinished: Bool {
        if isGrowthClaimed { return true }
        return switch phase {
        case .starting, .recording, .processing, .ready(.pending), .ready(.claimed): true
        case .ready, .failed, .cancelled: false
        }
    }
}

extension DictationState {
    /// A state as a store would return it, for tests of decisions about states.
    package init(
        id: DictationID, timestamp: Date, phase: Phase, cleanedText: String, partialText: String,
        timings: Timings
    ) {
        self.init(
            id: id, revision: 1, timestamp: timestamp, phase: phase, partialText: partialText,
            cleanedText: cleanedText, target: nil, engine: "pocketsphinx", locale: "en-US", timings: timings)
    }
}

/// How long each step took, in milliseconds; nil until it is over.
public struct Timings: Equatable, Sendable {
    /// The audio's length.
    public var recording: Int?
    /// From the end of the recording to the recognizer's last word.
    public var recognition: Int?
    public var cleaning: Int?
    /// From the claim to the last key.
    public var typing: Int?

    public init(recording: Int? = nil, recognition: Int? = nil, cleaning: Int? = nil, typing: Int? = nil) {
        self.recording = recording
        self.recognition = recognition
        self.cleaning = cleaning
        self.typing = typing
    }
}
