import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// `dictstate cancel` after the recognizer's last word: the text is not typed, no matter what it still waits
/// for.
@Suite("Canceled after the last word", .serialized, .timeLimit(.minutes(5)))
struct LateCancelTests {
    /// What a text may wait for between its last word and the store.
    enum Wait: CaseIterable {
        case model, hook, key
    }

    @Test("the text is not typed, and its recording goes", arguments: Wait.allCases)
    func cancelled(wait: Wait) async throws {
        let news = Observed(())
        let model = try LoopbackServer { _ in
            news.change { _ in }
            return [.hang]
        }
        defer { model.stop() }
        let desk = try await Desk.set()
        let (begun, gate) = (desk.folder.file("begun"), desk.folder.file("gate"))
        // A hook that reads from a pipe continues when the pipe gets data.
        if wait == .hook {
            try #require(mkfifo(gate, 0o600) == 0)
        } else {
            try desk.folder.write("Hooked.\n", to: "gate")
        }
        try desk.folder.write(
            (wait == .model
                ? "[polish]\nendpoint = \"\(model.address("/v1"))\"\nmodel = \"m\"\nlimit = 60\n" : "")
                + "[[hook]]\non = \"cleaned\"\nlimit = 60\ncommand = [\"sh\", \"-c\", 'cat > \"$0\"; cat \"$1\"', "
                + "\"\(begun)\", \"\(gate)\"]\n", to: "settings.toml")
        let written = try FolderNews(of: desk.folder.file(""), for: .modified) { _ in news.change { _ in } }
        let host = try await desk.startHost()
        let keyboard = try UserKeyboard(of: desk.display.name)
        try keyboard.press("F9")
        try await desk.speak(seconds: 3)
        if wait == .key { _ = try await desk.dictstate("stop") } else { try keyboard.release("F9") }
        let isWaiting: Bool? = await news.wait(within: Desk.limit) { _ in
            let hooked = (try? FileManager.default.attributesOfItem(atPath: begun)[.size]) as? Int ?? 0
            return hooked > 0 || model.requests.contains { $0.path.contains("chat") } ? true : nil
        }
        #expect(isWaiting == true)
        #expect(try await desk.dictstate("cancel").contains("canceled"))
        switch wait {
        case .model: model.stop()
        case .hook: try await Program.run("sh", ["-c", "echo Hooked. > '\(gate)'"])
        case .key: try keyboard.release("F9")
        }
        let state = try await desk.waitForDictation { $0.isSettled || $0.status == .ready }
        #expect(state.status == .cancelled && state.cleanedText.isEmpty)
        withExtendedLifetime(written) {}
        await desk.end(host)
        // A canceled text is given to no program.
        #expect(FileManager.default.fileExists(atPath: begun) == (wait != .model))
        #expect(!FileManager.default.fileExists(atPath: desk.group.audio(of: state.id).path))
    }
}
