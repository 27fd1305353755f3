import DictationShared
import Foundation
import Testing

@Suite("The hotkey's press and release, in the store")
struct KeyIntentTests {
    @Test("a press that is seen late starts nothing, and a release always ends the recording")
    func late() throws {
        let test = try TestGroup()
        let store = try test.store()
        _ = try store.submit(.key(isDown: true))
        _ = try store.submit(.key(isDown: false))
        let taken = try store.takeIntents(for: .host, at: Date() + 60)
        #expect(taken.map(\.action) == [.key(isDown: false)])
        // And not by a clock that was set back.
        _ = try store.submit(.key(isDown: false))
        #expect(try store.takeIntents(for: .host, at: Date() - 3_600).count == 1)
    }
}
