/// The first clean-up of recognized text: by rules, immediately, on any machine.
///
/// ```swift
/// TextCleaner().clean("um so what what do you think").text   // "What do you think?"
/// ```
///
/// Each rule decides alone and does not touch uncertain words: an extra filler only reads badly, a missing
/// word is lost. The rules run in the order of ``CleaningRule``; those that remove words run again until none
/// finds anything, because one may bring together what another looks for ("the um the"). The rest follow
/// once.
///
/// The result is stable: cleaning it again changes nothing. Time grows linearly with the text.
public struct TextCleaner: Sendable {
    /// The user's choices.
    public struct Options: Sendable, Equatable {
        /// The rules that act; all of them unless told otherwise. Control characters and stray white space go
        /// in any case: characters that an app would take for a command never leave here.
        public var rules: Set<CleaningRule>
        /// The user's own words.
        public var dictionary: TextDictionary
        /// Whether "press enter" at the end is a command.
        public var mayPressEnter: Bool
        /// Names and terms that are likely now, such as those on the screen: a word that sounds like one of
        /// them, and is no word of its own, is written as it is.
        public var likelyTerms: [String]

        public init(
            rules: Set<CleaningRule> = Set(CleaningRule.allCases), dictionary: TextDictionary = .empty,
            mayPressEnter: Bool = false, likelyTerms: [String] = []
        ) {
            self.rules = rules
            self.dictionary = dictionary
            self.mayPressEnter = mayPressEnter
            self.likelyTerms = likelyTerms
        }

        /// Every rule.
        public static let standard = Options()

        /// Nothing but ``CleaningRule/spacing``: the words as they were heard.
        public static let verbatim = Options(rules: [])
    }

    public let options: Options
    public let language: Language
    /// The time that the user's patterns may take for one text.
    var patternBudget: @Sendable () -> PatternBudget = { PatternBudget() }
    private let marks: SpokenMarks?
    private let replacements: Replacements?
    private let likelyTerms: LikelyTerms?
    private let removers: [any WordRule]
    private let bareWords: BareWords?
    private let pauses: Pauses?
    private let forms: SpokenForms
    private let finishers: [any WordRule]

    /// How often the removing rules may run. In ordinary speech the second run finds nothing; the limit keeps
    /// the time linear for any input.
    static let mostPasses = 16

    public init(options: Options = .standard, language: Language = .english) {
        self.options = options
        self.language = language
        marks = options.rules.contains(.spokenMarks) ? SpokenMarks(language: language) : nil
        let index = DictionaryIndex(options.dictionary, language: language)
        replacements =
            options.rules.contains(.dictionary) && !index.isEmpty ? Replacements(index: index) : nil
        likelyTerms =
            options.rules.contains(.dictionary) ? LikelyTerms(options.likelyTerms, language: language) : nil
        let heedsPauses = options.rules.contains(.pauses)
        bareWords =
            options.rules.contains(.marks) && language.punctuation.isLearned
            ? BareWords(heedsPauses: heedsPauses) : nil
        pauses = heedsPauses ? Pauses() : nil
        let removers: [any WordRule] = [
            Scratching(), NumberHesitations(), SelfCorrections(language: language), FillerPhrases(),
            Hesitations(), Stutters(), Repetitions(), Restarts(),
        ]
        forms = SpokenForms(rules: options.rules)
        let finishers: [any WordRule] = [ProperWords(), Capitals()]
        // Without lists it is unknown what a language says twice on purpose.
        self.removers =
            language.tables.kinds.isEmpty ? [] : removers.filter { options.rules.contains($0.rule) }
        self.finishers = finishers.filter { options.rules.contains($0.rule) }
    }

    /// Cleans one utterance, line by line. A line of only fillers disappears. If only fillers remain, the text is
    /// empty; layout alone ("new line") is a text of newlines.
    public func clean(_ raw: String) -> CleanedText {
        let (lines, hasHiddenCharacters) = Spacing.lines(of: raw)
        var drafts: [Draft?] = []
        for line in lines {
            var draft = Draft(line: line, language: language)
            // The line and its words differ in spaces only.
            if hasHiddenCharacters || draft.length != line.utf8.count {
                draft.note(.spacing, before: line, after: draft.text)
            }
            // An empty line is kept if the speaker made one, between two others.
            drafts += line.isEmpty ? [nil] : divided(draft)
        }
        return finish(drafts)
    }

    /// The same for words whose times are known: if they have no marks, pauses divide them into sentences.
    public func clean(_ words: [TimedWord]) -> CleanedText {
        let (lines, _) = Spacing.lines(of: words.map(\.text).joined(separator: " "))
        let pauses = TimedWord.pauses(words)
        // Words that contain spaces or line breaks have no times of their own.
        guard lines.count == 1, lines[0].split(separator: " ").count == pauses.count else {
            return clean(words.map(\.text).joined(separator: " "))
        }
        return finish(divided(Draft(line: lines[0], pauses: pauses, language: language)))
    }

    /// The lines into which layout commands split one.
    private func divided(_ draft: Draft) -> [Draft?] {
        guard let marks else { return [draft] }
        let (lines, actions) = marks.lines(of: draft.words)
        guard !actions.isEmpty else { return [draft] }
        var drafts: [Draft?] = []
        for (number, line) in lines.enumerated() {
            var part = Draft(words: line.words, language: language)
            if number == 0 { part.note(draft.actions + actions) }
            if line.isParagraph { drafts.append(nil) }
            drafts.append(part)
        }
        return drafts
    }

    /// - Parameter drafts: nil for an empty line.
    private func finish(_ drafts: [Draft?]) -> CleanedText {
        if drafts.count == 1, let draft = drafts[0], let text = replacements?.index.snippet(for: draft.words)
        {
            return CleanedText(
                text: text, actions: [.init(rule: .dictionary, before: draft.text, after: text)])
        }
        var drafts = drafts
        var command: CleanedText.Command?
        if options.mayPressEnter, let last = drafts.lastIndex(where: { $0 != nil }) {
            if drafts[last]?.takeEnterCommand() == true { command = .pressEnter }
        }
        let marking = marking(of: drafts)
        var budget = patternBudget()
        for index in drafts.indices where drafts[index] != nil {
            drafts[index]?.patternBudget = budget
            drafts[index]?.apply { reduce(&$0, marking) }
            budget = drafts[index]?.patternBudget ?? budget
        }
        let last = drafts.lastIndex { $0?.words.isEmpty == false }
        var actions: [CleanedText.Action] = []
        var abandoned: [String] = []
        var cleaned: [String] = []
        for (index, draft) in drafts.enumerated() {
            guard var draft else {
                cleaned.append("")
                continue
            }
            finish(&draft, isEnd: index == last && !isSignature(index, of: drafts))
            actions += draft.actions
            abandoned += draft.abandonedPatterns.filter { !abandoned.contains($0) }
            if !draft.words.isEmpty { cleaned.append(draft.text) }
        }
        var text = Spacing.joined(cleaned)
        if text.isEmpty, command == nil { text = layout(askedForBy: actions) }
        return CleanedText(text: text, actions: actions, command: command, abandonedPatterns: abandoned)
    }

    /// The rule that adds marks to a text without any; nil if the speaker said one, or the recognizer wrote
    /// one.
    private func marking(of drafts: [Draft?]) -> (any WordRule)? {
        guard drafts.allSatisfy({ $0?.isBare ?? true }) else { return nil }
        return drafts.allSatisfy { $0?.isUnwritten ?? true } ? bareWords ?? pauses : pauses
    }

    /// "New line", said alone, is a text: the new line. Between words it is not needed here, as the lines are there.
    private func layout(askedForBy actions: [CleanedText.Action]) -> String {
        // Retracted: "new line scratch that".
        guard !actions.contains(where: { $0.rule == .scratching }) else { return "" }
        let layout = actions.filter { $0.rule == .spokenMarks && !$0.after.isEmpty }.map(\.after)
            .filter { $0.allSatisfy(\.isNewline) }.joined()
        // A newline at the end of a text is Enter there, which sends a message: this one is layout in any case.
        return options.mayPressEnter ? String(layout.map { _ in "\u{2028}" }) : layout
    }

    /// The most words of a name.
    private static let longestSignature = 3
    /// Of the line above it: "with my very best regards".
    private static let longestClosing = 5

    /// "Best regards", and a name on the line below: no sentence.
    private func isSignature(_ index: Int, of drafts: [Draft?]) -> Bool {
        guard let name = drafts[index], name.words.count <= Self.longestSignature,
            name.words.allSatisfy({ $0.kinds.subtracting(.hints).isEmpty }),
            let above = drafts[..<index].last(where: { $0?.words.isEmpty == false })??.words,
            let last = above.last, above.count <= Self.longestClosing
        else { return false }
        return language.punctuation.closings.contains(last.key)
    }

    /// All rules except those for the beginning and the end of the whole text.
    ///
    /// - Parameter marking: the rule that adds marks to bare words.
    private func reduce(_ draft: inout Draft, _ marking: (any WordRule)?) {
        replacements?.apply(to: &draft)
        likelyTerms?.apply(to: &draft)
        remove(&draft)
        _ = marking?.apply(to: &draft)
        forms.apply(to: &draft)
    }

    /// Runs the removing rules again, until none of them finds anything.
    private func remove(_ draft: inout Draft) {
        var idle = 0
        var next = 0
        while idle < removers.count, next < Self.mostPasses * removers.count {
            idle = removers[next % removers.count].apply(to: &draft) ? 0 : idle + 1
            next += 1
        }
        draft.dropIfSilent()
    }

    /// How a line begins and ends. A mark, a capital or a number may show the removing rules what the bare words did
    /// not: they look again until they find nothing, so that the result is what it would be if it were cleaned again.
    private func finish(_ draft: inout Draft, isEnd: Bool) {
        for _ in 0..<Self.mostPasses {
            for rule in finishers { _ = rule.apply(to: &draft) }
            if options.rules.contains(.finalMark) { _ = FinalMark(isEnd: isEnd).apply(to: &draft) }
            guard removers.contains(where: { $0.apply(to: &draft) }) else { return }
            remove(&draft)
            forms.apply(to: &draft)
        }
    }
}
