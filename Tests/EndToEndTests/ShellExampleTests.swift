import Foundation
import TestSupport
import Testing

/// The commands in the documents' blocks: each program, subcommand, option and number of words is one that there is.
@Suite("The shell examples of the documents", .timeLimit(.minutes(2)))
struct ShellExampleTests {
    /// A program's description of its own commands (`--experimental-dump-help`).
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let kind: String
            let names: [Name]?
            let isRepeating: Bool
            let isOptional: Bool
            let allValues: [String]?

            var spellings: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
        }
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?
        let defaultSubcommand: String?

        private var meant: Command? { subcommands?.first { $0.commandName == defaultSubcommand } }

        /// The fault of the words after the command's name; nil if there is none.
        func fault(in words: [String]) -> String? {
            if let first = words.first, let next = subcommands?.first(where: { $0.commandName == first }) {
                return next.fault(in: Array(words.dropFirst()))
            }
            if let meant, !(arguments ?? []).contains(where: { words.contains($0.spellings) }) {
                return meant.fault(in: words)
            }
            let positional = (arguments ?? []).filter { $0.kind == "positional" }
            var count = 0
            var rest = words[...]
            while let word = rest.popFirst() {
                guard word.hasPrefix("-"), word != "-" else {
                    if count >= positional.count, positional.last?.isRepeating != true {
                        return "\(commandName) takes no “\(word)”"
                    }
                    count += 1
                    continue
                }
                let (name, value) = (
                    word.prefix { $0 != "=" },
                    word.firstIndex(of: "=").map { String(word[$0...].dropFirst()) }
                )
                guard let argument = arguments?.first(where: { $0.spellings.contains(String(name)) }) else {
                    return "\(commandName) has no \(name)"
                }
                guard argument.kind == "option" else { continue }
                guard let value = value ?? rest.popFirst() else { return "\(word) needs a value" }
                if let known = argument.allValues, !known.contains(value) {
                    return "\(word) takes no “\(value)”"
                }
            }
            let needed = positional.count { !$0.isOptional }
            return count < needed ? "\(commandName) needs \(needed - count) more" : nil
        }
    }

    private struct Help: Decodable { let command: Command }

    private static let own = ["dictstate", "host-agent", "insert-agent", "dictation-bench", "train-cleanup"]
    /// Programs of others, which the examples may use.
    private static let others: Set = ["apt", "ffmpeg", "pip", "swift", "systemctl"]

    private static func commands() async throws -> [String: Command] {
        var found: [String: Command] = [:]
        for program in own {
            let text = try await Program.run(BuildFolder.program(program), ["--experimental-dump-help"])
            found[program] = try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command
        }
        return found
    }

    /// The words of each command, without comments, quotation marks, variables in front, sudo, and what is optional.
    private static func commands(in block: ExampleTests.Block) -> [[String]] {
        block.text.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
            var words = line.matches(of: /"([^"]*)"|'([^']*)'|(#.*)|([^\s"'#]\S*)/).compactMap {
                ($0.1 ?? $0.2 ?? $0.4).map(String.init)
            }
            words.removeAll { $0.hasPrefix("[") && $0.hasSuffix("]") }
            while let first = words.first, first == "sudo" || first.contains(/^[A-Z_]+=/) {
                words.removeFirst()
            }
            return words.isEmpty ? nil : words
        }
    }

    @Test("each is one that its program takes")
    func taken() async throws {
        let known = try await Self.commands()
        let makefile = try String(contentsOfFile: repositoryFile("Makefile"), encoding: .utf8)
        var seen = 0
        for block in try ExampleTests.blocks("sh") {
            for words in Self.commands(in: block) {
                let line = "\(block.place): \(words.joined(separator: " "))"
                let program = words[0].split(separator: "/").last.map(String.init) ?? words[0]
                if let command = known[program] {
                    let fault = command.fault(in: Array(words.dropFirst()))
                    #expect(fault == nil, "\(line): \(fault ?? "")")
                } else if program == "make" {
                    for word in words.dropFirst() {
                        let name = word.prefix { $0 != "=" }
                        let isThere =
                            makefile.contains(try Regex("(?m)^(?:export )?\(name)(?::| \\?=|$)"))
                        #expect(isThere, "\(line): the Makefile has no \(name)")
                    }
                } else if ["packaging/", "docs/", "Tools/"].contains(where: words[0].hasPrefix) {
                    #expect(FileManager.default.isExecutableFile(atPath: repositoryFile(words[0])), "\(line)")
                } else {
                    #expect(Self.others.contains(program), "\(line): there is no such program")
                }
                seen += 1
            }
        }
        #expect(seen > 40)
    }

    @Test("arguments that no program takes are found")
    func notTaken() async throws {
        let known = try await Self.commands()
        for (program, words, fault) in [
            ("dictstate", ["settings", "sit", "x"], "takes no “sit”"),
            ("dictstate", ["history", "--sinse", "1 day"], "history has no --sinse"),
            ("dictstate", ["discard"], "discard needs 1 more"),
            ("dictstate", ["undo", "this"], "undo takes no"),
            ("dictstate", ["watch", "--format", "xmobar"], "--format takes no “xmobar”"),
            ("dictation-bench", ["sink"], "takes no “sink”"),
        ] {
            let found = known[program]?.fault(in: words)
            #expect(found?.contains(fault) == true, "\(words): \(found ?? "taken")")
        }
    }
}

extension [String] {
    fileprivate func contains(_ others: [String]) -> Bool { contains { others.contains($0) } }
}
