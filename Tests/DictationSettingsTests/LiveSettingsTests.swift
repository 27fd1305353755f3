import DictationSettings
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

/// Real files, changed in the ways in which editors change them.
@Suite("Settings of a running agent", .timeLimit(.minutes(2)))
struct LiveSettingsTests {
    /// How the content of a file changes.
    enum Way: CaseIterable, Sendable {
        case writtenInPlace, renamedOver, removedAndMadeAnew, movedAwayAndMadeAnew

        func write(_ text: String, to path: String) throws {
            let new = URL(fileURLWithPath: path + ".new")
            let url = URL(fileURLWithPath: path)
            switch self {
            case .writtenInPlace:
                let handle = try FileHandle(forWritingTo: url)
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(text.utf8))
                try handle.close()
            case .renamedOver:
                try Data(text.utf8).write(to: new)
                guard rename(new.path, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            case .removedAndMadeAnew:
                try FileManager.default.removeItem(at: url)
                try Data(text.utf8).write(to: url)
            case .movedAwayAndMadeAnew:
                try FileManager.default.moveItem(atPath: path, toPath: path + "~")
                try Data(text.utf8).write(to: url)
                try FileManager.default.removeItem(atPath: path + "~")
            }
        }
    }

    private static func patience(_ seconds: Int) -> String { "[insert]\npatience = \(seconds)\n" }

    private static func live(_ path: String, logger: Logger = Logger(label: "test")) throws -> LiveSettings {
        try LiveSettings(file: SettingsFile(path: path), logger: logger)
    }

    /// The next value of the patience that the agent gets.
    private static func wait(_ updates: AsyncStream<Settings>, until patience: Int) async {
        for await new in updates where new.insert.patience == patience { return }
    }

    @Test("follow the file, however it is changed", arguments: Way.allCases)
    func follows(way: Way) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write(Self.patience(1), to: "settings.toml")
        let live = try Self.live(path)
        #expect(live.current.insert.patience == 1)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        for patience in 2...4 {
            try way.write(Self.patience(patience), to: path)
            await Self.wait(updates, until: patience)
            #expect(live.current.insert.patience == patience)
        }
    }

    @Test("take a file that appears only later, its folders too")
    func later() async throws {
        let folder = try TemporaryFolder("settings")
        let path = folder.file("a/b/settings.toml")
        let live = try Self.live(path)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        try FileManager.default.createDirectory(atPath: folder.file("a"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(
            atPath: folder.file("a/b"), withIntermediateDirectories: false)
        try Data(Self.patience(7).utf8).write(to: URL(fileURLWithPath: path))
        await Self.wait(updates, until: 7)
        // The whole folder is replaced by another one.
        try FileManager.default.moveItem(atPath: folder.file("a"), toPath: folder.file("old"))
        try FileManager.default.createDirectory(atPath: folder.file("a/b"), withIntermediateDirectories: true)
        try Data(Self.patience(8).utf8).write(to: URL(fileURLWithPath: path))
        await Self.wait(updates, until: 8)
    }

    @Test("follow a symbolic link to a file elsewhere")
    func link() async throws {
        let folder = try TemporaryFolder("settings")
        let dotfiles = try TemporaryFolder("dotfiles")
        let target = try dotfiles.write(Self.patience(1), to: "voicedictation.toml")
        let path = folder.file("settings.toml")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let live = try Self.live(path)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        try Way.renamedOver.write(Self.patience(2), to: target)
        await Self.wait(updates, until: 2)
        try Way.writtenInPlace.write(Self.patience(3), to: target)
        await Self.wait(updates, until: 3)
    }

    @Test(
        "follow a symbolic link that is made only later, to the file or to its folder, and another one after it"
    )
    func laterLink() async throws {
        let home = try TemporaryFolder("settings")
        let dotfiles = try TemporaryFolder("dotfiles")
        let first = try dotfiles.write(Self.patience(2), to: "first.toml")
        let second = try dotfiles.write(Self.patience(4), to: "second.toml")
        let whole = try dotfiles.write(Self.patience(5), to: "settings.toml")
        let folder = home.file("voicedictation")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = try home.write(Self.patience(1), to: "voicedictation/settings.toml")
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        func replace(_ path: String, byLinkTo target: String) async throws {
            try FileManager.default.removeItem(atPath: path)
            await log.wait(for: "is gone")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        try await replace(path, byLinkTo: first)
        await Self.wait(updates, until: 2)
        try Way.writtenInPlace.write(Self.patience(3), to: first)
        await Self.wait(updates, until: 3)
        try await replace(path, byLinkTo: second)
        await Self.wait(updates, until: 4)
        try await replace(folder, byLinkTo: (whole as NSString).deletingLastPathComponent)
        await Self.wait(updates, until: 5)
    }

    @Test("stay at the last good ones while the file has an error, and say where it is")
    func broken() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write(Self.patience(5), to: "settings.toml")
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        try Way.renamedOver.write("[insert]\npatience = \"long\"\n", to: path)
        await log.wait(for: "\(path):2:12: “patience” must be a whole number")
        #expect(live.current.insert.patience == 5)
        try FileManager.default.removeItem(atPath: path)
        await log.wait(for: "is gone")
        #expect(live.current.insert.patience == 5)
        try Data(Self.patience(6).utf8).write(to: URL(fileURLWithPath: path))
        await Self.wait(updates, until: 6)
    }

    @Test("stay when the file is emptied, as an editor does on a full disk, and a moment before it writes")
    func emptied() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write(
            "[history]\nkeep-days = \"all\"\n" + Self.patience(5), to: "settings.toml")
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        try Way.writtenInPlace.write("", to: path)
        await log.wait(for: "\(path) is empty; the settings from before stay in use")
        #expect(live.current.insert.patience == 5 && live.current.history.keepDays == .all)
        #expect(live.recentLimits.count == 1)
        try Way.writtenInPlace.write(Self.patience(6), to: path)
        await Self.wait(updates, until: 6)
        #expect(live.recentLimits.map(\.days) == [.upTo(90), .all])
    }

    @Test("a link to a file that is not there is an error, at the start and later; so is one above it")
    func dangling() async throws {
        let folder = try TemporaryFolder("settings")
        let dotfiles = try TemporaryFolder("dotfiles")
        let target = try dotfiles.write(Self.patience(5), to: "settings.toml")
        let (path, above) = (folder.file("settings.toml"), folder.file("above"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        try FileManager.default.createSymbolicLink(
            atPath: above, withDestinationPath: dotfiles.file("missing"))
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        live.follow()
        defer { live.stop() }
        try FileManager.default.removeItem(atPath: target)
        let reason = "\(path) is a symbolic link to \(target), which is not there"
        await log.wait(for: reason)
        #expect(live.current.insert.patience == 5)
        let error = #expect(throws: SettingsError.self) { try Self.live(path) }
        #expect(error?.description.contains(reason) == true)
        let other = #expect(throws: SettingsError.self) { try Self.live(above + "/settings.toml") }
        #expect(other?.description.contains("\(above) is a symbolic link") == true)
    }

    @Test("warn of a key that nobody knows, once, and take the rest of the file")
    func unknown() async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write("[insert]\npatiense = 9\npatience = 5\n", to: "settings.toml")
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        await log.wait(
            for: "\(path):2:1: “patiense” has no effect: [insert] has no such key; did you mean “patience”?")
        #expect(live.current.insert.patience == 5)
        let updates = live.updates()
        live.follow()
        defer { live.stop() }
        try Way.renamedOver.write("[insert]\npatience = 6\npatiense = 9\n[hots]\n", to: path)
        await Self.wait(updates, until: 6)
        #expect(await log.waitForWarning()?.contains(":4:2: [hots] has no effect") == true)
    }

    @Test("say which change takes effect only at the next start")
    func restart() async throws {
        let folder = try TemporaryFolder("settings")
        let path = folder.file("settings.toml")
        let log = RecordedLog()
        let live = try Self.live(path, logger: log.logger)
        live.follow()
        defer { live.stop() }
        try Data("[group]\nfolder = \"/elsewhere\"\n".utf8).write(to: URL(fileURLWithPath: path))
        await log.wait(for: "group.folder: takes effect at the next start")
    }

    @Test("are not there at all while the file has an error at the start")
    func brokenAtStart() throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write("[insert]\npatience = 0\n", to: "settings.toml")
        #expect(throws: SettingsError.self) { try Self.live(path) }
    }
}

/// A log that a test waits on.
final class RecordedLog: Sendable {
    private let lines: AsyncStream<String>
    let logger: Logger

    init() {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        logger = Logger(label: "test") { _ in Handler(continuation: continuation) }
    }

    func wait(for text: String) async {
        for await line in lines where line.contains(text) { return }
    }

    /// The next thing that is warned of.
    func waitForWarning() async -> String? {
        for await line in lines where line.contains("has no effect") { return line }
        return nil
    }

    private struct Handler: LogHandler {
        let continuation: AsyncStream<String>.Continuation
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { continuation.yield("\(event.message)") }
    }
}
