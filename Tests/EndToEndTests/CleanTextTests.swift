import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// From recognized to typed text: rules, the user's own words, a language model. A server on this machine
/// gives the recognized words, so that they are known; everything else is as in use.
@Suite("The typed text of spoken words", .serialized, .timeLimit(.minutes(5)))
struct CleanTextTests {
    /// A desk with both agents and a window, whose server recognizes what the test says.
    private struct Office {
        let desk: Desk
        let window: TextWindow
        let host: Program
        let inserter: Program
        let server: LoopbackServer

        /// - Parameters:
        ///   - heard: the server's result for each sound.
        ///   - model: its answers as a language model; nil: no model is used.
        static func open(
            _ heard: String, window kind: TextWindow.Kind = .gtkText, profile: String = "",
            limit: Double = 30, model: [LoopbackServer.Step]? = nil
        ) async throws -> Office {
            let text = try JSONEncoder().encode(["text": heard])
            let server = try LoopbackServer { request in
                request.path.contains("chat") ? model ?? [.answer(404)] : [.answer(200, [:], text)]
            }
            let desk = try await Desk.set()
            var settings = "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n"
            if model != nil {
                settings +=
                    "[polish]\nendpoint = \"\(server.address("/v1"))\"\nmodel = \"m\"\nlimit = \(limit)\n"
            }
            try desk.folder.write(settings + profile, to: "settings.toml")
            let window = try await TextWindow.start(kind, on: desk.display, title: "Letter")
            let host = try await desk.startHost()
            return try await Office(
                desk: desk, window: window, host: host, inserter: desk.startInserter(), server: server)
        }

        /// - Parameter options: of `dictstate start`.
        func dictate(_ options: String...) async throws -> DictationState {
            let seen = try desk.store.revision()
            _ = try await desk.dictstate(["start"] + options)
            try await desk.speak(seconds: 2)
            _ = try await desk.dictstate("stop")
            return try await desk.waitForDictation(since: seen) { $0.isSettled }
        }

        func close() async {
            server.stop()
            await desk.end(host, inserter)
        }
    }

    private static func answer(_ content: String) throws -> [LoopbackServer.Step] {
        struct Answer: Encodable {
            struct Choice: Encodable {
                let message: [String: String]
                let finishReason = "stop"
                enum CodingKeys: String, CodingKey {
                    case message
                    case finishReason = "finish_reason"
                }
            }
            let choices: [Choice]
        }
        let message = ["role": "assistant", "content": content]
        return [.answer(200, [:], try JSONEncoder().encode(Answer(choices: [.init(message: message)])))]
    }

    @Test("a list is learnt in one go and counts at once; one with bad lines changes nothing, and names them")
    func imported() async throws {
        let folder = try TemporaryFolder("lists")
        let settings = folder.file("settings.toml")
        let environment = ["VOICEDICTATION_SETTINGS": settings]
        func learn(_ name: String, _ text: String) async throws -> (code: Int32, output: String) {
            let file = try folder.write(text, to: name)
            let program = try Program.start(
                BuildFolder.program("dictstate"), ["learn", "--import", file], environment: environment)
            return (try await program.exitCode, program.output + program.errors)
        }
        let terms = (1...400).map { "Term\($0)" }.joined(separator: "\n")
        let bad = try await learn("bad.csv", "good\na,b,c\n\"open\n")
        #expect(bad.code == 1 && bad.output.contains("bad.csv: line 2: 3 columns"))
        #expect(bad.output.contains("line 3: a quotation mark") && bad.output.contains("Nothing was added."))
        #expect(!FileManager.default.fileExists(atPath: folder.file("dictionary.toml")))
        let good = try await learn("good.txt", terms + "\nKubernetes\ncooper netties -> Kubernetes\n")
        #expect(good.code == 0 && good.output.contains("Added 401 terms and 1 replacement ("))
        let again = try await learn("good.csv", "heard,written\ncooper netties,Kubernetes\nDocker,\n")
        #expect(again.output.contains("Added 1 term and 0 replacements; 1 were there already"))
        let cleaned = try await Program.run(
            "/bin/sh",
            [
                "-c", "echo 'we run term77 and cooper netties' | exec \"$0\" clean",
                BuildFolder.program("host-agent"),
            ],
            environment: environment)
        #expect(cleaned == "We run Term77 and Kubernetes.\n")
        let both = try Program.start(
            BuildFolder.program("dictstate"), ["learn", "a", "--import", "b"], environment: environment)
        #expect(try await both.exitCode == 64)
    }

    @Test("a word that was learnt is written in the next dictation, and “insert --raw” types what was heard")
    func learnt() async throws {
        let office = try await Office.open("um we run cooper netties")
        #expect(try await office.dictate().cleanedText == "We run cooper netties.")
        _ = try await office.desk.dictstate("learn", "cooper netties", "Kubernetes")
        try await office.host.waitForLine(containing: "dictionary")
        let state = try await office.dictate()
        #expect(state.cleanedText == "We run Kubernetes." && state.rawText == "um we run cooper netties")
        let typed = "We run cooper netties. We run Kubernetes."
        try await office.window.waitForText(equal: typed)
        _ = try await office.desk.dictstate("insert", "--raw")
        try await office.window.waitForText(equal: typed + " um we run cooper netties")
        #expect(try office.desk.store.dictation(state.id)?.cleanedText == "We run Kubernetes.")
        await office.close()
    }

    @Test("an entry that lacks its text changes nothing; one that empties a text says so, with the words")
    func emptied() async throws {
        let office = try await Office.open("has never been surpassed")
        let phrase = "[[snippet]]\nphrase = \"has never been surpassed\"\n"
        let path = try office.desk.folder.write(phrase, to: "dictionary.toml")
        try await office.host.waitForLine(containing: "\(path):1:1: [[snippet]] needs “text”")
        #expect(try await office.dictate().cleanedText == "Has never been surpassed.")
        try office.desk.folder.write(phrase + "text = \"\"\n", to: "dictionary.toml")
        try await office.host.waitForLine(containing: "dictionary read from")
        let state = try await office.dictate()
        #expect(state.error?.knownCode == .emptied)
        #expect(state.error?.message.contains("“has never been surpassed”") == true)
        try await office.host.waitForLine(containing: "Your dictionary left nothing to type.")
        #expect(!office.host.errors.contains("surpassed"))
        try await office.window.waitForText(equal: "Has never been surpassed.")
        await office.close()
    }

    @Test("nobody waits for a pattern whose search does not end: it is left out, the state says so")
    func endlessPattern() async throws {
        let office = try await Office.open(Self.said)
        let words = """
            [[pattern]]
            match = '(\\w+\\s*)+:'
            written = "x"
            [[replace]]
            heard = "shop"
            written = "market"
            """
        try office.desk.folder.write(words, to: "dictionary.toml")
        try await office.host.waitForLine(containing: "dictionary")
        let state = try await office.dictate()
        #expect(state.cleanedText == Self.ruled.replacing("shop", with: "market"))
        #expect(state.error?.code == "slow-pattern")
        #expect(state.error?.message.contains("(\\w+\\s*)+:") == true)
        try await office.window.waitForText(equal: Self.ruled.replacing("shop", with: "market"))
        await office.close()
    }

    @Test("hooks get the text, and may replace it; one that fails, hangs or prints nothing changes nothing")
    func hooks() async throws {
        let office = try await Office.open("send the report", profile: "")
        let log = office.desk.folder.file("log.txt")
        let settings = try String(contentsOfFile: office.desk.folder.file("settings.toml"), encoding: .utf8)
        func hook(_ event: String, _ command: String, limit: Double = 30) -> String {
            "[[hook]]\non = \"\(event)\"\nlimit = \(limit)\ncommand = \(command)\n"
        }
        let hooks = [
            hook("cleaned", "[\"tr\", \"a-z\", \"A-Z\"]"),
            hook("cleaned", "[\"sh\", \"-c\", 'cat; echo \" $VOICEDICTATION_RAW_TEXT $0\"', \"$HOME\"]"),
            hook("cleaned", "[\"true\"]"),
            hook(
                "inserted",
                "[\"sh\", \"-c\", 'cat >> \"$0\"; echo \" $VOICEDICTATION_ID\" >> \"$0\"', \"\(log)\"]"),
        ]
        try office.desk.folder.write(settings + hooks.joined(), to: "settings.toml")
        try await office.host.waitForLine(containing: "settings read")
        let news = Observed(())
        let written = try FolderNews(of: office.desk.folder.file(""), for: .modified) { _ in
            news.change { _ in }
        }
        let state = try await office.dictate()
        // No shell has seen the arguments.
        #expect(state.cleanedText == "SEND THE REPORT. send the report $HOME" && state.error == nil)
        try await office.window.waitForText(equal: state.cleanedText)
        let line = "\(state.cleanedText) \(state.id)\n"
        let seen: Bool? = await news.wait(within: Desk.limit) { _ in
            (try? String(contentsOfFile: log, encoding: .utf8)) == line ? true : nil
        }
        #expect(seen == true)
        withExtendedLifetime(written) {}
        let broken = [
            hook("cleaned", "[\"sleep\", \"1000\"]", limit: 0.2), hook("cleaned", "[\"no-such-program\"]"),
            hook("cleaned", "[\"sh\", \"-c\", \"echo wrong; exit 3\"]"),
            hook("cleaned", "[\"printf\", \"\\\\377\"]"), hook("cleaned", "[\"yes\"]"),
        ]
        for (hook, reason) in zip(
            broken,
            ["did not finish", "no program “no-such-program”", "code 3", "not UTF-8", "more than 1 MiB"])
        {
            let before = office.host.lines.count
            try office.desk.folder.write(settings + hook, to: "settings.toml")
            try await office.host.waitForLine(containing: "settings read", from: before)
            let state = try await office.dictate()
            #expect(state.cleanedText == "Send the report." && state.delivery == .inserted)
            #expect(state.error?.code == "hook-failed" && state.error?.message.contains(reason) == true)
        }
        await office.close()
    }

    @Test(
        "“press enter” is a key where the profile allows it, and words elsewhere", arguments: [true, false])
    func enter(isAllowed: Bool) async throws {
        let profile = isAllowed ? "[[profile]]\nclass = \"*\"\npress-enter = true\n" : ""
        let office = try await Office.open("send the report press enter", profile: profile)
        let state = try await office.dictate()
        #expect(state.delivery == .inserted)
        try await office.window.waitForText(
            equal: isAllowed ? "Send the report.\n" : "Send the report press enter.")
        await office.close()
    }

    private static let said = "so i think that we should go to the shop because we need 12 eggs"
    private static let ruled = "So I think that we should go to the shop because we need 12 eggs."

    @Test("a good answer of a language model is typed")
    func polished() async throws {
        let better = "So I think that we should go to the shop, because we need 12 eggs."
        let office = try await Office.open(Self.said, model: Self.answer(better))
        let state = try await office.dictate()
        #expect(state.cleanedText == better && state.rawText == Self.said && state.error == nil)
        try await office.window.waitForText(equal: better)
        #expect(
            office.server.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("12 eggs") })
        await office.close()
    }

    @Test(
        "a prompt of the user's own is asked by a command, a profile or a key, and guarded as the others are")
    func ownStyle() async throws {
        let better = "So I think that we should go to the shop, because we need 12 eggs."
        let styles = """
            [[style]]
            name = "letter"
            prompt = "It is a letter to a GROCER."
            [[profile]]
            name = "formal"
            style = "letter"
            [[hotkey]]
            key = "F8"
            style = "letter"
            \n
            """
        let office = try await Office.open(Self.said, profile: styles, model: Self.answer(better))
        func asked() -> Int {
            office.server.requests.count { String(decoding: $0.body, as: UTF8.self).contains("to a GROCER") }
        }
        #expect(try await office.dictate().cleanedText == better)
        #expect(asked() == 0)
        for (count, options) in [["--style", "letter"], ["--profile", "formal"], ["--hotkey", "F8"]]
            .enumerated()
        {
            #expect(try await office.dictate(options[0], options[1]).cleanedText == better)
            #expect(asked() == count + 1)
        }
        #expect(try await office.dictate("--style", "verbatim").cleanedText == Self.ruled)
        await office.close()
    }

    @Test(
        "nothing of a window that gets the words as recognized, or whose profile says so, is sent to the model"
    )
    func keptFromModel() async throws {
        let better = "So I think that we should go to the shop, because we need 12 eggs."
        for (profile, written) in [("verbatim = true", Self.said), ("style = \"verbatim\"", Self.ruled)] {
            let office = try await Office.open(
                Self.said, profile: "[[profile]]\ntitle = \"Letter\"\n\(profile)\n",
                model: Self.answer(better))
            let state = try await office.dictate("--style", "mail")
            #expect(state.cleanedText == written && state.error == nil)
            try await office.window.waitForText(equal: written)
            #expect(!office.server.requests.contains { $0.path.contains("chat") })
            await office.close()
        }
    }

    @Test("the answer to a prompt of the user's own is refused if it is another text")
    func ownStyleRefused() async throws {
        let style = "[[style]]\nname = \"poem\"\nprompt = \"Make it a poem.\"\n"
        let office = try await Office.open(
            Self.said, profile: style, model: Self.answer("Twelve eggs we need, and so we go, indeed."))
        let state = try await office.dictate("--style", "poem")
        #expect(state.cleanedText == Self.ruled && state.error?.code == "not-polished")
        await office.close()
    }

    @Test("an answer that says more than was said is refused: the rules' text is typed, the state says why")
    func refused() async throws {
        let office = try await Office.open(Self.said, model: Self.answer("\(Self.ruled) Shall I order them?"))
        let state = try await office.dictate()
        #expect(state.cleanedText == Self.ruled && state.error?.code == "not-polished")
        #expect(state.error?.message.contains("not used") == true)
        try await office.window.waitForText(equal: Self.ruled)
        await office.close()
    }

    @Test("no text waits for a slow language model past its limit")
    func slow() async throws {
        let office = try await Office.open(Self.said, limit: 0.5, model: [.hang])
        let state = try await office.dictate()
        #expect(state.cleanedText == Self.ruled && state.error?.code == "not-polished")
        #expect(state.delivery == .inserted)
        try await office.window.waitForText(equal: Self.ruled)
        await office.close()
    }

    @Test("if the clean-up loses nearly all of a text, what was heard is typed, and the state says so")
    func lost() async throws {
        let heard = Array(repeating: "budget", count: 14).joined(separator: " ")
        let office = try await Office.open(heard)
        let state = try await office.dictate()
        #expect(state.cleanedText == heard && state.error?.code == "not-cleaned")
        try await office.window.waitForText(equal: heard)
        await office.close()
    }
}
