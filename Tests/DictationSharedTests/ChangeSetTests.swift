import DictationShared
import Foundation
import Testing

@Suite("The meaning of a change for an agent")
struct ChangeSetTests {
    @Test("partial results and the progress of typing are of no concern, every step is")
    func progress() throws {
        let test = try TestGroup()
        let store = try test.store()
        var seen: Revision = 0
        var hasNews: Bool {
            get throws {
                let changes = try store.changes(since: seen)
                seen = changes.revision
                return changes.isMoreThanProgress
            }
        }
        let spoken = try store.begin(target: nil, engine: "test", locale: "en-US")
        #expect(try hasNews, "who begins to look looks at everything")
        let steps: [(transition: DictationTransition, isNews: Bool)] = [
            (.recordingStarted, true), (.partial("all"), false), (.partial("all work"), false),
            (.processingStarted(recording: 10), true),
            (.recognized(.init(rawText: "all work", cleanedText: "All work.")), true),
            (.claimed(by: claimant), true), (.progress(3), false), (.progress(6), false),
            (.inserted(milliseconds: 1), true),
        ]
        for (transition, isNews) in steps {
            try store.apply(transition, to: spoken.id)
            #expect(try hasNews == isNews, "\(transition)")
        }
        let next = try store.begin(target: nil, engine: "test", locale: "en-US")
        try store.apply(.recordingStarted, to: next.id)
        _ = try store.changes(since: seen)
        try store.apply(.partial("no play"), to: next.id)
        _ = try store.submit(.record(.stop()))
        #expect(try hasNews, "an intent is, whatever comes with it")
    }
}
