import DictationShared
import Foundation
import TestSupport
import Testing

@testable import DictationHost

@Suite("Sounds")
struct SoundFlowTests {
    @Test(
        "of trouble: for what failed and what is held unasked",
        arguments: [
            (.failed(.noSpeech), true), (.ready(.held(.focusMoved)), true), (.ready(.held(.userAway)), true),
            (.ready(.held(.askedFor)), false), (.ready(.held(.undone)), false),
            (.ready(.held(.bySetting)), false), (.ready(.held(.recovered)), false),
            (.ready(.inserted), false),
            (.ready(.pending), false), (.recording, false), (.cancelled, false),
        ] as [(DictationState.Phase, Bool)])
    func trouble(phase: DictationState.Phase, isTrouble: Bool) {
        var flow = SoundFlow()
        let state = States.state(phase)
        #expect(flow.handle(state) == (isTrouble ? .error : nil))
        // A change that changes nothing of it is not heard again.
        #expect(flow.handle(state) == nil)
    }

    @Test("are heard again when a text that was typed on is held again")
    func again() {
        var flow = SoundFlow()
        let id = DictationID()
        let held = States.state(.ready(.held(.focusMoved)), id: id)
        let pending = States.state(.ready(.pending), id: id)
        #expect(flow.handle(held) == .error)
        #expect(flow.handle(pending) == nil)
        #expect(flow.handle(held) == .error)
    }

    @Test("are found: the user's own first, then those of the installation")
    func folders() {
        let folders = SoundFile.folders(
            program: URL(fileURLWithPath: "/usr/bin/host-agent"), environment: ["XDG_DATA_HOME": "/d"])
        #expect(
            folders.map(\.path).prefix(2) == ["/d/voicedictation/sounds", "/usr/share/voicedictation/sounds"])
    }

    @Test("are what packaging/make-sounds makes: short, and the first one shortest and quiet")
    func files() async throws {
        let folder = try TemporaryFolder("sounds")
        _ = try await Program.run(repositoryFile("packaging/make-sounds"), [folder.path])
        for sound in SoundFlow.Sound.allCases {
            let name = "\(sound.rawValue).wav"
            let made = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            let kept = try Data(contentsOf: URL(fileURLWithPath: repositoryFile("HostAgent/Sounds/\(name)")))
            #expect(made == kept)
        }
        let start = try Data(contentsOf: URL(fileURLWithPath: folder.file("start.wav")))
        // 44 bytes of header; 2 bytes a sample, 16 samples a millisecond.
        #expect((start.count - 44) / 32 <= 80)
    }
}
