import DictationHTTP
import DictationPolish
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import DictationText
import Foundation

/// How the text of a dictation is cleaned depends on it.
struct TextOrigin: Equatable, Sendable {
    /// The window where it began.
    var target: WindowInfo?
    /// How it differs from the settings.
    var options = StartOptions()
    /// Names that were on the screen then.
    var likelyTerms: [String] = []
}

/// Turns the recognized words into the text to type, by the current settings and dictionary.
struct TextService: Sendable {
    let settings: LiveSettings
    let dictionary: LiveDictionary
    private let polisher: Polisher
    private let screen: ScreenReader

    /// - Throws: `SystemError` when there are no descriptors left.
    init(
        settings: LiveSettings, dictionary: LiveDictionary, screen: ScreenReader = ScreenReader()
    ) throws {
        self.settings = settings
        self.dictionary = dictionary
        self.screen = screen
        polisher = Polisher(client: try HTTPClient())
    }

    /// The rules for a text that goes to a window.
    ///
    /// - Parameters:
    ///   - locale: of the text; as the settings say now if nil.
    ///   - text: determines the language if the locale does not.
    func cleaner(for origin: TextOrigin, locale: String? = nil, of text: String) -> TextCleaner {
        let settings = settings.current
        let profile = profile(for: origin)
        return TextCleaner(
            options: .init(
                rules: settings.clean.rules, dictionary: dictionary.current,
                mayPressEnter: profile?.pressEnter ?? false, likelyTerms: origin.likelyTerms),
            language: Language.matching(locale ?? settings.speech.locale, of: text))
    }

    private func profile(for origin: TextOrigin) -> ProfileSettings? {
        let profiles = settings.current.profiles
        guard let target = origin.target else {
            return origin.options.profile.flatMap { name in profiles.first { $0.name == name } }
        }
        return ProfileSettings.first(
            in: profiles, named: origin.options.profile, windowClass: target.windowClass,
            title: target.title)
    }

    /// Looks for names on the screen, if the settings ask for that.
    ///
    /// - Returns: the names, which come in any case; nil if nothing is looked at.
    func likelyTerms(for origin: TextOrigin) -> Task<[String], Never>? {
        guard settings.current.mayLookAtScreen else { return nil }
        let locale = origin.options.locale ?? settings.current.speech.locale
        return Task {
            await screen.terms(in: origin.target, language: .matching(locale)) { window in
                profile(for: TextOrigin(target: window, options: origin.options))?.context.value
                    ?? settings.current.speech.context
            }
        }
    }

    /// How much of a dictation is typed while it is spoken.
    func liveInsertion(for origin: TextOrigin) -> LiveInsertion {
        let (insert, profile) = (settings.current.insert, profile(for: origin))
        let wanted = profile?.live.value ?? insert.live
        let method = profile?.method.value ?? insert.method
        // A model, or the window, changes the words later; or nothing is typed automatically.
        guard [.type, .paste, .ibus].contains(method), insert.policy != .hold, profile?.verbatim != true,
            !settings.current.hooks.contains(where: { $0.event == .cleaned && !$0.command.isEmpty }),
            settings.current.polish.configuration == nil || style(for: origin) == .known(.verbatim)
        else { return .off }
        return origin.options.isLive && wanted == .off ? .segments : wanted
    }

    /// Whether the text that is typed during the dictation may be mended.
    func mayRevise(for origin: TextOrigin) -> Bool {
        guard let target = origin.target else { return false }
        return settings.current.insert.revisesLiveText(in: target, profile(for: origin))
    }

    /// The beginning of the cleaned text that no further words change.
    ///
    /// - Parameter wait: see ``TextCleaner/settledPrefix(of:unsure:wait:)``.
    func settled(_ heard: HeardText, for origin: TextOrigin, locale: String, wait: Int) -> String {
        // Words that may still become a command are not part of the text.
        guard reading(of: heard.shown, for: origin, locale: locale) == .text,
            !mayBeginCommand(heard.shown, locale: locale)
        else { return "" }
        return heard.settled(by: cleaner(for: origin, locale: locale, of: heard.shown), wait: wait)
    }

    struct Result: Sendable {
        /// Empty if there is nothing to type.
        var text: String
        /// The command, if the whole utterance is one; then there is no text.
        var edit: Intent.EditRequest?
        /// Whether it is "stop listening".
        var stopsListening = false
        /// Whether "scratch that" took back all that was said.
        var isScratched = false
        /// Whether the dictionary left nothing of what was said.
        var isEmptied = false
        /// The language that was found, where the model has found it out.
        var locale: String?
        /// A problem on the way, if the text can still be typed.
        var notice: DictationFailure?
    }

    /// Opens the connection to the model, if there is one, while the user still speaks.
    func prepare() async {
        guard let configuration = settings.current.polish.configuration else { return }
        // A key that cannot be read is reported with the text.
        guard let key = try? Optional(key()) else { return }
        await polisher.warm(configuration, key: key)
    }

    /// Reads a text that was said alone: as a command, or as a text.
    private func reading(of said: String, for origin: TextOrigin, locale: String) -> EditCommands.Reading {
        let settings = settings.current
        guard settings.edit.isOn else { return .text }
        let readings = Language.candidates(locale).lazy.map {
            EditCommands(language: $0, leadWord: settings.edit.leadWord).reading(of: said)
        }
        let reading = readings.first { $0 != .text } ?? .text
        switch reading {
        // The cleaner knows both, and they are texts.
        case .command(.insert, _), .command(.press(.enter), _): return .text
        case .command(.press, _) where profile(for: origin)?.pressEnter != true: return .text
        case .command, .literal, .text: return reading
        }
    }

    private func mayBeginCommand(_ said: String, locale: String) -> Bool {
        let edit = settings.current.edit
        return edit.isOn
            && EditCommands(language: .matching(locale), leadWord: edit.leadWord).mayBegin(with: said)
    }

    /// Whether the words so far end the recording.
    func stopsListening(_ said: String, locale: String) -> Bool {
        let edit = settings.current.edit
        return edit.isOn
            && Language.candidates(locale).contains {
                EditCommands(language: $0, leadWord: edit.leadWord).stopsListening(said)
            }
    }

    /// Applies the rules, and then the model. If a step fails, the text before that step is used.
    ///
    /// - Parameters:
    ///   - given: the part that was released while it was spoken. If there is one, the rest is text as well:
    ///     a command would lose it.
    ///   - isTaken: whether a program waits for the words themselves, which are not a command then.
    func clean(
        _ outcome: SpeechService.Outcome, for origin: TextOrigin, behind given: String = "",
        isTaken: Bool = false
    ) async -> Result {
        let reading =
            given.isEmpty && !isTaken
            ? reading(of: outcome.text, for: origin, locale: outcome.locale) : .text
        switch reading {
        case .command(.stopListening, _): return Result(text: "", stopsListening: true)
        case .command(let command, let words):
            let cleaner = cleaner(for: origin, locale: outcome.locale, of: outcome.text)
            let sentence = command.hasFreeWords ? cleaner : nil
            return Result(
                text: "",
                edit: .init(
                    words: words, locale: outcome.locale, sentence: sentence?.clean(outcome.text).text))
        case .literal(let words):
            var cleaner = cleaner(for: origin, locale: outcome.locale, of: words)
            var options = cleaner.options
            options.rules.subtract([.spokenMarks, .scratching, .selfCorrections])
            options.mayPressEnter = false
            cleaner = TextCleaner(options: options, language: cleaner.language)
            return Result(text: cleaner.clean(words).text)
        case .text: break
        }
        let cleaner = cleaner(for: origin, locale: outcome.locale, of: outcome.text)
        let cleaned = outcome.words.isEmpty ? cleaner.clean(outcome.text) : cleaner.clean(outcome.words)
        var result = Result(text: cleaned.text)
        if isLost(cleaned, of: outcome.text, cleaner.language) {
            result = Result(text: outcome.text, notice: .cleaningFailed)
        } else if !cleaned.text.isEmpty, !cleaned.isLayout {
            result = await polished(cleaned.text, for: origin, cleaner.language)
        }
        if let pattern = cleaned.abandonedPatterns.first {
            result.notice = result.notice ?? .patternAbandoned(pattern)
        }
        result.isScratched = cleaned.isScratched && result.text.isEmpty
        result.isEmptied = cleaned.isEmptied && result.text.isEmpty
        if cleaned.command == .pressEnter { result.text += "\n" }
        if outcome.locale == SpokenLanguage.found, cleaner.language.isKnown {
            result.locale = cleaner.language.identifier
        }
        return result
    }

    private func style(for origin: TextOrigin) -> WritingStyle {
        let settings = settings.current
        let profile = profile(for: origin)
        // The window gets what was recognized: the model's text would not be used.
        if profile?.verbatim == true || isKeptFromModel(origin.target) { return .known(.verbatim) }
        let name = origin.options.style ?? profile?.style.value?.text ?? settings.polish.style.text
        // The name was checked when it was asked for; the settings may have changed since.
        return settings.style(named: name) ?? .known(.plain)
    }

    /// The profile of the window says so, and neither a key nor an option overrides it: its texts stay on
    /// this machine.
    private func isKeptFromModel(_ window: WindowInfo?) -> Bool {
        window.map {
            ProfileSettings.keepFromModel(
                in: settings.current.profiles, windowClass: $0.windowClass, title: $0.title)
        } ?? false
    }

    private func polished(_ text: String, for origin: TextOrigin, _ language: Language) async -> Result {
        let style = style(for: origin)
        guard let configuration = settings.current.polish.configuration, style != .known(.verbatim) else {
            return Result(text: text)
        }
        do {
            let names = PolishGuard(language: language, names: dictionary.current.names + origin.likelyTerms)
            let outcome = await polisher.polish(
                text, style: style, as: configuration, key: try key(), guard: names)
            switch outcome {
            case .polished(let better): return Result(text: better)
            case .kept(let reason): return Result(text: text, notice: .notPolished(because: reason))
            }
        } catch {
            return Result(text: text, notice: .notPolished(because: "\(error)"))
        }
    }

    private func key() throws -> APIKey? { try settings.current.polish.key() }

    /// The rules removed nearly everything, without a command: that is not a clean-up but an accident.
    private func isLost(_ cleaned: CleanedText, of raw: String, _ language: Language) -> Bool {
        let asked: Set<CleaningRule> = [.scratching, .spokenMarks, .dictionary, .selfCorrections]
        guard cleaned.rules.isDisjoint(with: asked) else { return false }
        let grammar = language.grammarWords
        let words = raw.lowercased().split(separator: " ").count { !grammar.contains(String($0)) }
        return words >= Self.fewestWords && cleaned.text.count * Self.fewestWords < raw.count
    }

    /// Words of meaning that a text has at least before it can be said to be lost; and the share of it that is then left
    /// at least.
    private static let fewestWords = 8
}

extension PolishSettings {
    /// Nil if no model is used.
    var configuration: PolishConfiguration? {
        endpoint.isEmpty
            ? nil
            : PolishConfiguration(endpoint: endpoint, model: model, limit: .milliseconds(Int(limit * 1000)))
    }

    /// The server's key; nil if none is named.
    func key() throws -> APIKey? {
        if !keyFile.isEmpty { return try APIKey(file: keyFile) }
        if !keyVariable.isEmpty { return try APIKey(environment: keyVariable) }
        return nil
    }
}

extension DictationFailure {
    /// The text is that of the rules.
    static func notPolished(because reason: String) -> DictationFailure {
        .init(
            code: .notPolished, message: "The language model's text was not used: \(reason)",
            kept: "the text from the clean-up rules")
    }

    /// The text is the result of all other rules.
    static func patternAbandoned(_ pattern: String) -> DictationFailure {
        .init(
            code: .slowPattern,
            message:
                "The dictionary's pattern “\(pattern)” was not used: all patterns together may take a twentieth "
                + "of a second for each text, and it takes longer. Simplify it, or remove it",
            kept: "the text without this pattern")
    }

    /// The text is the raw one.
    static let cleaningFailed = DictationFailure(
        code: .notCleaned, message: "The clean-up lost nearly all of the text, so it was not used",
        kept: "the text as it was recognized")
}
