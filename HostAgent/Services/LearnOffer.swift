import DictationBus
import DictationSettings
import DictationShared
import DictationSystem
import DictationText

/// Offers to learn a word: the user has said “replace X with Y” twice, for the same two.
struct LearnOffer: Equatable {
    /// The word as it is heard, and its spelling.
    let heard: String
    let written: String

    /// How many of the newest dictations are searched.
    static let reach = 500
    /// How often it was said when it is offered; after that the user has seen the offer.
    private static let times = 2

    /// The prefix of its notifications' keys, and the name of their answer.
    static let key = "learn-"
    static let action = "learn"

    /// - Returns: nil for a dictation that was not such a command, was not carried out, or may be read in
    ///   several ways.
    init?(_ state: DictationState, leadWord: String) {
        guard state.isCommand, state.delivery == .inserted, !state.isPrivate else { return nil }
        for language in Language.candidates(state.locale) {
            let reading = EditCommands(language: language, leadWord: leadWord).reading(of: state.rawText)
            guard case .command(.replace(let replacements), _) = reading, replacements.count == 1,
                let only = replacements.first
            else { continue }
            // In lower case it matches any case.
            (heard, written) = (only.old.lowercased(), only.new)
            return
        }
        return nil
    }

    private func isSame(as other: LearnOffer) -> Bool {
        heard == other.heard && written.lowercased() == other.written.lowercased()
    }

    /// Whether to make the offer with this dictation.
    ///
    /// - Parameter history: the newest dictations, this one among them.
    static func due(
        with state: DictationState, in history: [DictationState], leadWord: String
    ) -> LearnOffer? {
        guard let offer = LearnOffer(state, leadWord: leadWord) else { return nil }
        let same = history.count { LearnOffer($0, leadWord: leadWord)?.isSame(as: offer) == true }
        return same == times ? offer : nil
    }

    /// For a terminal, too.
    var command: String { "dictstate learn \(heard.shellQuoted) \(written.shellQuoted)" }

    /// - Parameter showsText: whether notifications may have words of the user's.
    func notice(showsText: Bool) -> DesktopNotice {
        DesktopNotice(
            summary: "Always write it this way?",
            body: showsText
                ? "You have replaced “\(heard)” with “\(written)” twice. “Learn” makes this permanent. In a terminal: \(command)"
                : "You have replaced the same words twice. “Learn” makes this permanent.",
            actions: [.init(Self.action, label: "Learn")])
    }
}
