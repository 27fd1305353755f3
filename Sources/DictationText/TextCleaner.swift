/// The first clean-up of what a recogniser heard: by rules, at once, on any machine.
///
/// ```swift
/// TextCleaner().clean("um so what what do you think").text   // "So what do you think?"
/// ```
///
/// Each rule decides alone and leaves alone what it is not sure of: a filler too many is read over, a word too few
/// is lost. The rules run in the order of ``CleaningRule``; those that take words away run again until none finds
/// anything, for what one removes may bring together what another looks for ("the um the"). The rest follow once.
///
/// The result is stable: to clean it again changes nothing. Time grows linearly with the text.
public struct TextCleaner: Sendable {
    /// What the user may choose.
    public struct Options: Sendable, Equatable {
        /// The rules that act; all of them unless told otherwise. Control characters and stray white space go in
        /// any case: what an app would take for a command never leaves here.
        public var rules: Set<CleaningRule>

        public init(rules: Set<CleaningRule> = Set(CleaningRule.allCases)) {
            self.rules = rules
        }

        /// Every rule.
        public static let standard = Options()

        /// Nothing but ``CleaningRule/spacing``: the words as they were heard.
        public static let verbatim = Options(rules: [])
    }

    public let options: Options
    public let language: Language
    private let removers: [any WordRule]
    private let finishers: [any WordRule]

    /// How often the removing rules may run. In ordinary speech the second run finds nothing; the limit keeps
    /// the time linear whatever comes in.
    static let mostPasses = 16

    public init(options: Options = .standard, language: Language = .english) {
        self.init(
            options: options, language: language, model: .shipped,
            threshold: CorrectionFinder.usualThreshold)
    }

    /// With another model of self-corrections than the one that is shipped; for training and measuring.
    package init(
        options: Options = .standard, language: Language = .english, model: CorrectionModel, threshold: Float
    ) {
        self.options = options
        self.language = language
        var finder = CorrectionFinder(language: language, model: model)
        finder.threshold = threshold
        let removers: [any WordRule] = [
            SelfCorrections(finder: finder), Hesitations(), FillerPhrases(), Stutters(), Repetitions(),
        ]
        let finishers: [any WordRule] = [Capitals(), FinalMark()]
        self.removers = removers.filter { options.rules.contains($0.rule) }
        self.finishers = finishers.filter { options.rules.contains($0.rule) }
    }

    /// Cleans one utterance. Lines are cleaned each for itself and stay lines; one that holds nothing but fillers
    /// disappears. Nothing worth saying gives an empty text.
    public func clean(_ raw: String) -> CleanedText {
        let (lines, hasHiddenCharacters) = Spacing.lines(of: raw)
        var actions: [CleanedText.Action] = []
        var cleaned: [String] = []
        for line in lines {
            var draft = Draft(line: line, language: language)
            if hasHiddenCharacters || draft.text != line { draft.isRespaced = true }
            let spaced = draft.isRespaced ? draft.text : line
            // Each once more, until none after the last that acted finds anything.
            var idle = 0
            var next = 0
            while idle < removers.count, next < Self.mostPasses * removers.count {
                idle = removers[next % removers.count].apply(to: &draft) ? 0 : idle + 1
                next += 1
            }
            draft.dropIfSilent()
            for rule in finishers { _ = rule.apply(to: &draft) }
            if draft.isRespaced {
                actions.append(.init(rule: .spacing, before: line, after: spaced))
            }
            actions += draft.actions
            // A line without words is kept only where the speaker made one, between two others.
            if !draft.words.isEmpty || line.isEmpty { cleaned.append(draft.text) }
        }
        return CleanedText(text: Spacing.joined(cleaned), actions: actions)
    }
}
