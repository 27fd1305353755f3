import Foundation

/// A request of a client to an agent: a row that exactly one agent consumes, and answers.
public struct Intent: Equatable, Sendable, Identifiable {
    public enum Action: Equatable, Sendable {
        /// Begins or ends a recording.
        case record(RecordingRequest)
        /// A key that the compositor has bound was pressed or released, at the intent's ``Intent/timestamp``. It works like
        /// the hotkey: hold it, or tap it. The options are those of a dictation that a press begins.
        case key(isDown: Bool, StartOptions = StartOptions())
        /// Types the held part of a dictation; refused if all of it was inserted. If nil: the held part of
        /// the newest such dictation, else all of the newest one that has a text; refused if that was
        /// discarded.
        case insert(DictationID?)
        /// Types a completely inserted dictation again, if it is still as the requester saw it.
        case insertAgain(DictationID, seen: Revision)
        /// Stops typing a dictation; the rest is held.
        case hold(DictationID)
        case discard(DictationID)
        /// Puts the text of a dictation on the clipboard; the newest one that has a text if nil.
        case copy(DictationID?)
        /// Removes the last typed text.
        case undo
        /// Edits the last typed text. With the dictation in which this was said, whose place in the order it
        /// takes; nil if it was not spoken.
        case edit(EditRequest, spokenIn: DictationID?)
        /// Recognizes the recording of a dictation again. The text is held.
        case recognize(DictationID, RecognitionOptions)
        /// Has a language model change the selected text of the focused window.
        case transform(TransformRequest)
        /// Copies the selected text of the focused window, for a dictation that says how to change it. The
        /// answer is the text, which the host removes from the store.
        case readSelection(for: DictationID)
        /// Replaces the selected text of a window by another one, when the turn of the dictation has come in which that was
        /// asked for.
        case replace(ReplaceRequest, spokenIn: DictationID)

        /// The agent that consumes it.
        public var role: AgentRole {
            switch self {
            case .record, .key, .recognize, .transform: .host
            case .insert, .insertAgain, .hold, .discard, .copy, .undo, .edit, .readSelection, .replace:
                .inserter
            }
        }

        public var name: String {
            switch self {
            case .record(let request): request.name
            case .key(true, let options): options == StartOptions() ? "press" : Self.pressWithOptions
            case .key(false, _): "release"
            case .insert, .insertAgain: "insert"
            case .hold: "hold"
            case .discard: "discard"
            case .copy: "copy"
            case .undo: "undo"
            case .edit: "edit"
            case .recognize: "recognize"
            case .transform: "transform"
            case .readSelection: "read-selection"
            case .replace: "replace"
            }
        }

        /// A name that agents do not know which would not see the options: to them a private dictation would be none.
        static let pressWithOptions = "press-with"

        /// The options of a dictation that it begins.
        var startOptions: StartOptions? {
            switch self {
            case .record(let request): request.options.flatMap { $0 == StartOptions() ? nil : $0 }
            case .key(true, let options): options == StartOptions() ? nil : options
            default: nil
            }
        }

        /// The dictation that it names.
        public var dictation: DictationID? {
            switch self {
            case .record, .key, .undo, .transform: nil
            case .insert(let id), .copy(let id), .edit(_, let id): id
            case .discard(let id), .hold(let id), .insertAgain(let id, _), .recognize(let id, _),
                .readSelection(let id), .replace(_, let id):
                id
            }
        }
    }

    /// Requests about a recording.
    public enum RecordingRequest: Equatable, Sendable {
        case start(StartOptions = StartOptions())
        /// A held text is for the client itself: it is not typed.
        case stop(isHeld: Bool = false)
        case toggle(StartOptions = StartOptions())
        case cancel

        /// - Parameters:
        ///   - name: as stored, also by an earlier version.
        ///   - options: those stored with it.
        init?(name: String, options: StartOptions?) {
            switch name {
            case "start": self = .start()
            case Self.startWithOptions: self = .start(options ?? StartOptions())
            case "toggle": self = .toggle()
            case Self.toggleWithOptions: self = .toggle(options ?? StartOptions())
            case "stop", "stop-and-hold": self = .stop(isHeld: name != "stop")
            case "cancel": self = .cancel
            case "start-private", "start-live", "start-private-live":
                self = .start(
                    StartOptions(isPrivate: name.contains("private"), isLive: name.contains("live")))
            case "toggle-private": self = .toggle(StartOptions(isPrivate: true))
            default: return nil
            }
        }

        private static let startWithOptions = "start-with"
        private static let toggleWithOptions = "toggle-with"

        var name: String {
            switch self {
            case .start(let options): options == StartOptions() ? "start" : Self.startWithOptions
            case .stop(let isHeld): isHeld ? "stop-and-hold" : "stop"
            case .toggle(let options): options == StartOptions() ? "toggle" : Self.toggleWithOptions
            case .cancel: "cancel"
            }
        }

        /// The options of the dictation that it may begin; nil if it begins none.
        public var options: StartOptions? {
            switch self {
            case .start(let options), .toggle(let options): options
            case .stop, .cancel: nil
            }
        }

        /// The same with other options of the dictation that it may begin.
        public func withOptions(_ change: (StartOptions) throws -> StartOptions) rethrows -> Self {
            switch self {
            case .start(let options): .start(try change(options))
            case .toggle(let options): .toggle(try change(options))
            case .stop, .cancel: self
            }
        }
    }

    /// An edit as the user put it into words.
    public struct EditRequest: Equatable, Sendable, Codable {
        /// The command, as said or written, without a lead word.
        public var words: String
        /// The language of ``words`` (BCP 47); nil: as the settings say.
        public var locale: String?
        /// The same as a text, if it may have been meant as one: it is kept when there is nothing to edit.
        public var sentence: String?

        public init(words: String, locale: String? = nil, sentence: String? = nil) {
            self.words = words
            self.locale = locale
            self.sentence = sentence
        }
    }

    /// The instruction for the selected text.
    public struct TransformRequest: Equatable, Sendable, Codable {
        /// The instruction in words. If nil, the user speaks it now; a second request ends that recording.
        public var instruction: String?
        /// It is removed when it is done.
        public var isPrivate: Bool

        public init(instruction: String?, isPrivate: Bool = false) {
            self.instruction = instruction
            self.isPrivate = isPrivate
        }
    }

    /// A selected text and its replacement. The store forgets both as soon as the intent is answered.
    public struct ReplaceRequest: Equatable, Sendable, Codable {
        /// The exact selected text; if another text is selected, nothing is replaced.
        public var selection: String
        public var text: String

        public init(selection: String, text: String) {
            self.selection = selection
            self.text = text
        }
    }

    /// The options for recognizing a recording again; nil: those of the settings.
    public struct RecognitionOptions: Hashable, Sendable, Codable {
        public var engine: String?
        public var model: String?
        /// BCP 47, such as `en-US`.
        public var language: String?

        public init(engine: String? = nil, model: String? = nil, language: String? = nil) {
            self.engine = engine
            self.model = model
            self.language = language
        }
    }

    public enum Phase: Equatable, Sendable {
        case pending
        /// An agent works on it.
        case taken
        /// The result, for a person, and its dictation.
        case done(String, dictation: DictationID?)
        /// Why not, for a person.
        case refused(String)
    }

    public let id: Int64
    public internal(set) var revision: Revision
    public let action: Action
    public let timestamp: Date
    /// Milliseconds after ``timestamp`` at which it is too late to carry it out.
    public let timeToLive: Int
    public internal(set) var phase: Phase
    /// How much of it is done while it is ``Phase/taken``, 0…1; nil if its agent does not report it.
    public internal(set) var progress: Double?

    /// The answer to a request for the rest of a text without one.
    public static func alreadyInserted(_ id: DictationID) -> String {
        "all of dictation \(id) was inserted; nothing was typed. To type it again: dictstate insert --again \(id)"
    }

    /// The answer to a request for the newest text if nothing is held and all of the newest one was typed.
    public static func insertedNewest(_ id: DictationID) -> String {
        "no text is held, and all of the newest one was inserted; nothing was typed. To type it again: dictstate insert --again \(id)"
    }

    /// The answer to a request for the newest text if nothing is held and the newest one was discarded.
    public static func discardedNewest(_ id: DictationID) -> String {
        "no text is held, and the newest one was discarded; nothing was typed. To type it anyway: dictstate insert \(id)"
    }

    /// A key that is answered five seconds late is a surprise, not a service.
    public static let defaultTimeToLive = 5_000

    public func isExpired(at now: Date) -> Bool {
        // A microphone that stays open is worse.
        if case .key(isDown: false, _) = action { return false }
        let age = now.timeIntervalSince(timestamp)
        // A clock that was set back makes the age negative: such an intent is of the past as well.
        return age < -1 || age * 1000 > Double(timeToLive)
    }
}

/// The two agents; one process at a time holds each role.
public enum AgentRole: String, Sendable, CaseIterable {
    case host = "host-agent"
    case inserter = "insert-agent"

    /// The file whose lock says that the role is taken.
    public var lockFile: String {
        switch self {
        case .host: "host.lock"
        case .inserter: "insert.lock"
        }
    }
}
