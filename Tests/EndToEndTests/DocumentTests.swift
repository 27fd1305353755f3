import DictationShared
import Foundation
import TestSupport
import Testing

/// The things that the documents promise are there.
@Suite("The documents", .timeLimit(.minutes(2)))
struct DocumentTests {
    private struct Help: Decodable {
        struct Command: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable {
                    let kind: String
                    let name: String
                }
                let names: [Name]?
            }
            let commandName: String
            let subcommands: [Command]?
            let arguments: [Argument]?
            let defaultSubcommand: String?

            /// Its own options, and those of the command that it means by default.
            var options: Set<String> {
                let names: [Argument.Name] = (arguments ?? []).flatMap { $0.names ?? [] }
                let own = names.map { name -> String in
                    name.kind == "long" ? "--\(name.name)" : "-\(name.name)"
                }
                let meant = subcommands?.first { $0.commandName == defaultSubcommand }?.options ?? []
                return Set(own).union(meant)
            }
        }
        let command: Command
    }

    private static func help(_ program: String) async throws -> Help.Command {
        let text = try await Program.run(BuildFolder.program(program), ["--experimental-dump-help"])
        return try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command
    }

    static let documents: [String] = {
        let folder = repositoryFile("docs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()
    }()

    /// The documents, and the pages for those who work on the programs.
    static let pages: [String] = ["", "docs/", "docs/decisions/", "docs/model/"].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: repositoryFile(folder))) ?? []
        return names.filter { $0.hasSuffix(".md") }.map { folder + $0 }.sorted()
    }

    /// The fragments of the headings of a page, as GitHub makes them.
    private static func fragments(of page: String) -> Set<String> {
        var isFenced = false
        var uses: [String: Int] = [:]
        var fragments: Set<String> = []
        for line in page.split(separator: "\n") {
            if line.hasPrefix("```") { isFenced.toggle() }
            guard !isFenced, let heading = line.firstMatch(of: /^#{1,6} +(.+)$/)?.1 else { continue }
            let title = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
            let fragment = title.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                .replacing(" ", with: "-")
            let number = uses[fragment, default: 0]
            uses[fragment] = number + 1
            fragments.insert(number == 0 ? fragment : "\(fragment)-\(number)")
        }
        return fragments
    }

    private static func text(_ document: String) throws -> String {
        try String(contentsOfFile: repositoryFile(document), encoding: .utf8)
    }

    @Test(
        "every command and option that they name is one",
        arguments: ["dictstate", "host-agent", "insert-agent"])
    func commands(program: String) async throws {
        let command = try await Self.help(program)
        var seen = 0
        for document in Self.documents {
            // The code: `…` or an indented or fenced line.
            let code = try Self.text(document).matches(
                of: /`([^`\n]+)`|^(?: {4}|)([a-z].*)$/.anchorsMatchLineEndings()
            )
            .compactMap { $0.1.map(String.init) ?? $0.2.map(String.init) }
            for line in code {
                for use in line.matches(of: try Regex("(?:^|[ (])\(program) ((?:[-a-zA-Z0-9.]+ ?)+)")) {
                    guard let words = use[1].substring?.split(separator: " ").map(String.init) else {
                        continue
                    }
                    var node = command
                    var isProse = false
                    for word in words {
                        if word.hasPrefix("--") {
                            #expect(
                                node.options.contains(word) || command.options.contains(word),
                                "\(document): \(program) \(words.joined(separator: " ")) has no \(word)")
                            seen += 1
                        } else if let next = node.subcommands?.first(where: { $0.commandName == word }) {
                            node = next
                            seen += 1
                        } else if node.commandName == command.commandName, line.hasPrefix(program) {
                            // Running text may begin with the name of a program as well.
                            isProse = true
                        }
                        if isProse { break }
                    }
                }
            }
        }
        // insert-agent has next to none.
        #expect(seen > 3 || program == "insert-agent")
    }

    @Test("every link between them leads to a file, and to a heading if it names one", arguments: pages)
    func links(document: String) throws {
        let page = URL(fileURLWithPath: repositoryFile(document))
        for link in try Self.text(document).matches(of: /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/) {
            let target = String(link.1)
            if target.contains("://") { continue }
            let path =
                target.isEmpty
                ? page.path : page.deletingLastPathComponent().appendingPathComponent(target).path
            #expect(FileManager.default.fileExists(atPath: path), "\(document) names \(target)")
            guard let fragment = link.2, path.hasSuffix(".md") else { continue }
            let headings = Self.fragments(of: try String(contentsOfFile: path, encoding: .utf8))
            #expect(headings.contains(String(fragment)), "\(document): \(target) has no #\(fragment)")
        }
    }

    @Test("the settings that they show can be used as they are", arguments: documents)
    func settings(document: String) async throws {
        let folder = try TemporaryFolder("documents")
        for example in try Self.text(document).matches(of: /(?ms)^ *```toml\n(.*?)^ *```/) {
            let file = try folder.write(String(example.1), to: "config.toml")
            let check = try Program.start(
                BuildFolder.program("host-agent"), ["check", "--settings"],
                environment: ["VOICEDICTATION_SETTINGS": file])
            #expect(try await check.exitCode == 0, "\(document): \(check.output)")
            #expect(!check.output.contains("has no such key"), "\(document): \(check.output)")
        }
    }

    @Test("every reason for which a text can be held is explained", arguments: HoldReason.allCases)
    func reasons(reason: HoldReason) throws {
        for document in ["docs/troubleshooting.md", "docs/store-protocol.md"] {
            #expect(try Self.text(document).contains("`\(reason.rawValue)`"), "\(document)")
        }
    }
}
