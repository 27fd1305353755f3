import DictationBus
import DictationShared
import Foundation
import TestSupport
import Testing

@testable import DictationHost

@Suite("The offer to learn a word")
struct LearnOfferTests {
    /// A store with commands that were said, and carried out.
    private struct Said {
        let folder: TemporaryFolder
        let store: StateStore

        init() throws {
            folder = try TemporaryFolder("learn")
            store = try StateStore(
                group: AppGroup(folder: URL(filePath: folder.file("group"), directoryHint: .isDirectory)))
        }

        func say(
            _ words: String, locale: String = "en-US", isPrivate: Bool = false, isDone: Bool = true
        ) throws -> DictationState {
            let id = try store.begin(target: nil, engine: "test", locale: locale, isPrivate: isPrivate).id
            try DictationKeeper(store: store).apply(
                .init(rawText: words, cleanedText: ""), asking: .edit(.init(words: words), spokenIn: id),
                of: id,
                timeToLive: 100_000)
            if isDone {
                _ = try store.claimNext(by: .current, patience: 60)
                try store.apply(.inserted(milliseconds: 1), to: id)
            }
            return try #require(try store.dictation(id))
        }

        func due(_ state: DictationState, leadWord: String = "") throws -> LearnOffer? {
            LearnOffer.due(with: state, in: try store.history(limit: LearnOffer.reach), leadWord: leadWord)
        }
    }

    @Test("comes with the second time, in any case, and with no other")
    func second() throws {
        let said = try Said()
        #expect(try said.due(said.say("replace cooper netties with Kubernetes")) == nil)
        #expect(try said.due(said.say("replace cooper netties with Docker")) == nil)
        let offer = try said.due(said.say("Change Cooper netties to Kubernetes."))
        #expect(offer?.heard == "cooper netties" && offer?.written == "Kubernetes")
        #expect(offer?.command == "dictstate learn 'cooper netties' 'Kubernetes'")
        #expect(try said.due(said.say("replace cooper netties with Kubernetes")) == nil)
    }

    @Test(
        "does not count what was not carried out, is private, or is another command",
        arguments: [
            ("replace a with b", false, false), ("replace a with b", true, true),
            ("delete last word", true, false), ("a and b", true, false),
        ])
    func others(words: String, isDone: Bool, isPrivate: Bool) throws {
        let said = try Said()
        _ = try said.say("replace a with b")
        #expect(try said.due(said.say(words, isPrivate: isPrivate, isDone: isDone)) == nil)
    }

    @Test("knows the language, and the lead word")
    func languages() throws {
        let said = try Said()
        _ = try said.say("ersetze Kuba mit Kubernetes", locale: "de-DE")
        #expect(try said.due(said.say("ersetze kuba durch Kubernetes", locale: "auto"))?.heard == "kuba")
        let other = try Said()
        _ = try other.say("computer replace a with b")
        #expect(try other.due(other.say("computer replace a with b"), leadWord: "computer")?.written == "b")
    }

    @Test("shows no words if notifications may have none")
    func words() throws {
        let said = try Said()
        _ = try said.say("replace ann's with Anne's")
        let offer = try #require(try said.due(said.say("replace ann's with Anne's")))
        #expect(offer.notice(showsText: true).body.contains(#"dictstate learn 'ann'\''s' 'Anne'\''s'"#))
        #expect(!offer.notice(showsText: false).body.lowercased().contains("ann"))
        #expect(offer.notice(showsText: false).actions.map(\.name) == ["learn"])
    }
}
