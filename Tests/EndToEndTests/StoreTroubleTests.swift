import DictationShared
import Foundation
import TestSupport
import Testing

/// Problems of the folder while real agents run: none of them ends, no pending text is lost,
/// and all continue by themselves when the cause is gone.
@Suite("Trouble with the store", .serialized, .timeLimit(.minutes(5)))
struct StoreTroubleTests {
    /// A desk with a window and a running inserter.
    private static func set(
        groupFolder: URL? = nil
    ) async throws -> (desk: Desk, window: TextWindow, inserter: Program) {
        let desk = try await Desk.set(groupFolder: groupFolder)
        // Texts are typed, however long they are.
        try desk.folder.write("[insert]\npaste-from = 0\n", to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        return (desk, window, try await desk.startInserter())
    }

    /// Puts a text into the store, and waits until the window has it after its earlier text.
    private static func typeThrough(
        _ desk: Desk, _ window: TextWindow, _ text: String, after before: String = ""
    ) async throws {
        let added = try desk.store.add(text: text, locale: "en-US")
        try await window.waitForText(equal: before + text)
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
    }

    @Test("the folder is removed while agents run: they continue in a new one")
    func removed() async throws {
        let (desk, window, inserter) = try await Self.set()
        let host = try await desk.startHost()
        try await Self.typeThrough(desk, window, "one ")
        // If an agent creates a file during this, rm finds a folder that is not empty.
        let remove = { try await Program.start("rm", ["-rf", desk.group.folder.path]).waitForExit() }
        while try await remove() != .exited(0) { try Task.checkCancellation() }
        try await inserter.waitForLine(containing: "was removed or moved away")
        try await host.waitForLine(containing: "was removed or moved away")
        try await Self.typeThrough(desk, window, "two ", after: "one ")
        let status = try await desk.dictstate("--json")
        #expect(
            status.contains("\"pid\":\(inserter.processID)") && status.contains("\"pid\":\(host.processID)"))
        await desk.end(inserter, host)
    }

    @Test(
        "the folder of recordings is removed, or all of the group: the next press of the hotkey records",
        arguments: [true, false])
    func recordingsRemoved(isWhole: Bool) async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        let folder = isWhole ? desk.group.folder : desk.group.audioFolder
        // If an agent creates a file during this, rm finds a folder that is not empty.
        let remove = { try await Program.start("rm", ["-rf", folder.path]).waitForExit() }
        while try await remove() != .exited(0) { try Task.checkCancellation() }
        if isWhole { try await host.waitForLine(containing: "was removed or moved away") }
        let seen = isWhole ? 0 : try desk.store.revision()
        try tapKey("F9", on: desk.display)
        let begun = try await desk.waitForDictation(since: seen) { _ in true }
        if !begun.isSettled { try await desk.speak(seconds: 3) }
        try tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation(since: seen) { $0.isSettled || $0.status == .ready }
        #expect(state.status == .ready && !state.cleanedText.isEmpty, "\(state.account)")
        #expect(FileManager.default.fileExists(atPath: desk.group.audio(of: state.id).path))
        let attributes = try FileManager.default.attributesOfItem(atPath: desk.group.audioFolder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        await desk.end(host)
    }

    @Test("the folder is moved away and back: agents continue with its contents")
    func movedAway() async throws {
        let (desk, window, inserter) = try await Self.set()
        try await Self.typeThrough(desk, window, "one ")
        let elsewhere = desk.folder.file("elsewhere")
        _ = try await Program.run("mv", [desk.group.folder.path, elsewhere])
        try await inserter.waitForLine(containing: "was removed or moved away")
        _ = try await Program.run("mv", [elsewhere, desk.group.folder.path])
        try await inserter.waitForLine(containing: "The store works again")
        try await Self.typeThrough(desk, window, "two ", after: "one ")
        #expect(try await desk.dictstate("history").split(separator: "\n").count == 2)
        await desk.end(inserter)
    }

    @Test("a folder that is opened to others is refused until it is closed again")
    func opened() async throws {
        let (desk, window, inserter) = try await Self.set()
        _ = try await Program.run("chmod", ["777", desk.group.folder.path])
        try await inserter.waitForLine(containing: "chmod 700")
        let refused = try desk.start("dictstate")
        #expect(try await refused.waitForExit().code == 77)
        _ = try await Program.run("chmod", ["700", desk.group.folder.path])
        try await inserter.waitForLine(containing: "The store works again")
        try await Self.typeThrough(desk, window, "closed again")
        await desk.end(inserter)
    }

    @Test("damage is repaired by one process, and all others follow; dictstate says where the old store is")
    func damaged() async throws {
        let (desk, window, inserter) = try await Self.set()
        let watches = try (0..<3).map { _ in try desk.start("dictstate", "watch") }
        try await Self.typeThrough(desk, window, "before ")
        for watch in watches { try await watch.waitForLine(containing: "inserted") }
        for index in 0..<200 {
            let state = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
            try desk.store.apply(
                .recognized(.init(rawText: "\(index)", cleanedText: "Held text \(index)", held: .stale)),
                to: state.id)
        }
        try desk.store.checkpoint()
        let size = try Data(contentsOf: desk.group.database).count
        let file = try FileHandle(forWritingTo: desk.group.database)
        try file.seek(toOffset: UInt64(size / 2))
        try file.write(contentsOf: Data((0..<size / 4).map { _ in UInt8.random(in: 0...255) }))
        try file.close()
        // Each of them may be the one that meets it.
        async let histories = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask { try await desk.dictstate("history", "--number", "1000") }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(try await histories.count == 4)
        try await Self.typeThrough(desk, window, "after", after: "before ")
        for watch in watches { try await watch.waitForLine(containing: "“after”") }
        let damaged = DamagedStore.all(in: desk.group)
        #expect(damaged.count == 1, "it was moved aside once")
        let status = try await desk.dictstate()
        #expect(status.contains("moved aside"))
        #expect(status.contains(try #require(damaged.first).path))
        #expect(inserter.isRunning && watches.allSatisfy(\.isRunning))
        await desk.end(inserter, watches[0], watches[1], watches[2])
    }

    @Test("a -wal file that is removed while agents run costs nothing that was committed")
    func logRemoved() async throws {
        let (desk, window, inserter) = try await Self.set()
        try await Self.typeThrough(desk, window, "one ")
        let watch = try desk.start("dictstate", "watch")
        try await watch.waitForLine(containing: "one")
        let held = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try desk.store.apply(
            .recognized(.init(rawText: "x", cleanedText: "only in the log", held: .stale)), to: held.id)
        try FileManager.default.removeItem(atPath: desk.group.database.path + "-wal")
        try await inserter.waitForLine(containing: "was removed or moved away")
        #expect(try await desk.dictstate("history").contains("only in the log"))
        try await Self.typeThrough(desk, window, "two ", after: "one ")
        #expect(DamagedStore.all(in: desk.group).isEmpty)
        await desk.end(inserter, watch)
    }

    @Test(
        "a disk that is full: the text is typed all the same, and written when there is room",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let (desk, window, inserter) = try await Self.set(groupFolder: disk.folder("group"))
        try await Self.typeThrough(desk, window, "one ")
        try disk.fill()
        let text = String(repeating: "All work and no play makes Jack a dull boy. ", count: 100)
        let added = try desk.store.add(text: text, locale: "en-US")
        // The reserve is soon used up by the progress of typing; typing continues.
        try disk.fill()
        try await window.waitForText(equal: "one " + text)
        try disk.free()
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        try await Self.typeThrough(desk, window, "two ", after: "one " + text)
        await desk.end(inserter)
    }

    @Test(
        "a disk that is full: dictstate says so once, and does not claim that it keeps the text",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func fullDiskForCommand() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let (desk, _, inserter) = try await Self.set(groupFolder: disk.folder("group"))
        try disk.fill()
        // More than the reserve, with its two columns.
        let file = try desk.folder.write(String(repeating: "x", count: 900_000), to: "long.txt")
        let insert = try desk.start("dictstate", "insert", "--file", file)
        #expect(try await insert.exitCode == 1)
        #expect(insert.errors.components(separatedBy: "is full").count == 2, "\(insert.errors)")
        #expect(insert.errors.contains("the agents keep unwritten dictations in memory"))
        #expect(try desk.store.history(limit: 1).isEmpty)
        await desk.end(inserter)
    }

    @Test(
        "another program keeps the store locked: the text is typed to its end, and the rest once it lets go")
    func lockedByAnotherProgram() async throws {
        let (desk, window, inserter) = try await Self.set()
        // Some seconds of typing.
        let text = String(repeating: "All work and no play makes Jack a dull boy. ", count: 2_000)
        let added = try desk.store.add(text: text, locale: "en-US")
        let next = try desk.store.add(text: "The end.", locale: "en-US")
        try await desk.waitForDictation(added.id) { $0.insertedCount > 100 }
        desk.display.stop()
        let writer = try await ForeignWriter.start(on: desk.group)
        desk.display.goOn()
        try await inserter.waitForLine(containing: "Another program keeps")
        try await window.waitForText(equal: text)
        #expect(try desk.store.dictation(added.id)?.delivery != .inserted)
        await writer.letGo()
        try await desk.waitForDictation(next.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: text + "The end.")
        #expect(try desk.store.dictation(added.id)?.delivery == .inserted)
        await desk.end(inserter)
    }

    @Test(
        "an agent that starts while another program keeps the store locked waits, and works once it lets go")
    func startedWhileLocked() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let writer = try await ForeignWriter.start(on: desk.group)
        let agents = [try desk.start("host-agent", "--no-hotkey"), try desk.start("insert-agent")]
        for agent in agents { try await agent.waitForLine(containing: "Another program keeps") }
        await writer.letGo()
        for agent in agents { try await agent.waitForLine(containing: "is ready") }
        try await Self.typeThrough(desk, window, "one ")
        for agent in agents { await desk.end(agent) }
    }

    @Test("a stopped process that holds the lock is named, to the log and to the user, and waited for")
    func stoppedWriter() async throws {
        let (desk, window, inserter) = try await Self.set()
        let holder = try await Self.stoppedHolder(of: desk.group)
        let file = try desk.folder.write("typed at last", to: "text.txt")
        let asking = try desk.start("dictstate", "insert", "--file", file)
        #expect(try await asking.waitForExit().code == 75)
        #expect(asking.errors.contains("process \(holder.processID) (python3), which is stopped"))
        #expect(asking.errors.contains("kill -CONT \(holder.processID)"))
        // A command that only looks needs no lock.
        #expect(try await desk.dictstate().contains("insert-agent  running"))
        // This process waits as an agent does: until the lock is free.
        let store = desk.store
        async let added = Task.detached { try store.add(text: "typed at last", locale: "en-US") }.value
        holder.signal(SIGCONT)
        _ = try await added
        try await window.waitForText(equal: "typed at last")
        await holder.end()
        await desk.end(inserter)
    }

    @Test("dictstate waits for a store that is locked for some seconds, as by a repair or a disk that hangs")
    func lockedForAWhile() async throws {
        let (desk, window, inserter) = try await Self.set()
        let holder = try await Self.stoppedHolder(of: desk.group)
        let file = try desk.folder.write("typed a little later", to: "text.txt")
        let asking = try desk.start("dictstate", "insert", "--file", file)
        try await asking.waitForLine(containing: "Waiting up to 10 s more")
        holder.signal(SIGCONT)
        #expect(try await asking.exitCode == 0)
        try await window.waitForText(equal: "typed a little later")
        await holder.end()
        await desk.end(inserter)
    }

    /// - Returns: a process that holds the store's lock and is stopped. It ends when it continues.
    private static func stoppedHolder(of group: AppGroup) async throws -> Program {
        let script = """
            import fcntl, os, signal, struct
            file = os.open('\(group.storeLock.path)', os.O_RDWR)
            fcntl.fcntl(file, fcntl.F_OFD_SETLKW, struct.pack('hhqqi', fcntl.F_WRLCK, 0, 0, 1, 0))
            print('locked', flush=True)
            os.kill(os.getpid(), signal.SIGSTOP)
            """
        let holder = try Program.start("python3", ["-c", script])
        try await holder.waitForLine(containing: "locked")
        return holder
    }

    @Test("a stopped reader costs nothing: the -wal file is used again, and the reader catches up")
    func stoppedReader() async throws {
        let desk = try await Desk.set()
        // This process plays the host-agent; without one, dictstate ends dictations that look abandoned.
        let role = try RoleLock(.host, in: desk.group)
        defer { withExtendedLifetime(role) {} }
        let watch = try desk.start("dictstate", "watch")
        let state = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try await watch.waitForLine(containing: "opening the microphone")
        try stopBetweenReads(watch, of: desk.group)
        for index in 1...20_000 {
            try desk.store.apply(.partial("word number \(index)"), to: state.id)
            if index.isMultiple(of: 1_000) { try desk.store.checkpoint() }
        }
        let log = try FileManager.default.attributesOfItem(atPath: desk.group.database.path + "-wal")
        let size = try #require(log[.size] as? Int)
        // A thousand commits of a few pages; twenty thousand would be twenty times as much.
        #expect(size < 1_000 * 6 * 4_120, "\(size) bytes")
        watch.signal(SIGCONT)
        try await watch.waitForLine(containing: "word number 20000")
        await desk.end(watch)
    }

    @Test("a text whose inserter died is held, and counted exactly by the next inserter")
    func deadInserter() async throws {
        let (desk, window, inserter) = try await Self.set()
        let watch = try desk.start("dictstate", "watch")
        // Some seconds of typing.
        let text = String(repeating: "All work and no play makes Jack a dull boy. ", count: 2_000)
        let added = try desk.store.add(text: text, locale: "en-US")
        try await desk.waitForDictation(added.id) { $0.insertedCount > 100 }
        desk.display.stop()
        try await watch.waitForLine(containing: "being typed")
        try await desk.kill(inserter)
        desk.display.goOn()
        // There is no request: the watcher notices the end itself.
        try await watch.waitForLine(containing: "held after")
        #expect(try await desk.dictstate("--json").contains("\"heldReason\":\"inserter-died\""))
        let next = try await desk.startInserter()
        let held = try #require(try desk.store.dictation(added.id))
        let arrived = try await window.waitForText { $0.count >= held.insertedCount }
        #expect(arrived == String(text.prefix(held.insertedCount)), "each key counts exactly once")
        _ = try await desk.dictstate("insert")
        try await window.waitForText(equal: text)
        await desk.end(next, watch)
    }

    @Test(
        "a dictation on a full disk ends with words that help, and the next one works when there is room",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func hostOnFullDisk() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let desk = try await Desk.set(groupFolder: disk.folder("group"))
        let host = try await desk.startHost()
        try disk.fill()
        try tapKey("F9", on: desk.display)
        // The rows still fit into what the store has; the sound does not. The part that was heard may contain
        // a word.
        let failed = try await desk.waitForDictation { $0.isSettled || $0.status == .ready }
        #expect(failed.error?.code == "recording-failed")
        #expect(failed.error?.message.contains("No space left") == true)
        #expect(host.isRunning)
        try disk.free()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.id != failed.id && $0.status == .ready }
        #expect(!state.cleanedText.isEmpty)
        await desk.end(host)
    }

    /// Stops a reader while it holds no read lock, which SQLite's log would have to keep everything for.
    private func stopBetweenReads(_ reader: Program, of group: AppGroup) throws {
        while true {
            reader.signal(SIGSTOP)
            var information = siginfo_t()
            // Comes back when each of its threads has stopped. Leaves its end to the process that waits for it.
            try #require(waitid(P_PID, id_t(reader.processID), &information, WSTOPPED | WNOWAIT) == 0)
            if try !holdsReadLock(reader, of: group) { return }
            reader.signal(SIGCONT)
        }
    }

    /// The bytes 123 to 127 of the -shm file are the locks of readers (https://sqlite.org/walformat.html).
    private func holdsReadLock(_ reader: Program, of group: AppGroup) throws -> Bool {
        let index = try FileManager.default.attributesOfItem(atPath: group.database.path + "-shm")
        let inode = try #require(index[.systemFileNumber] as? Int)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
            line in
            // “1: POSIX  ADVISORY  READ 4711 fe:00:1311 124 124”
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[4] == "\(reader.processID)", fields[5].hasSuffix(":\(inode)"),
                let first = Int(fields[6])
            else { return false }
            return (123...127).contains(first)
        }
    }
}
