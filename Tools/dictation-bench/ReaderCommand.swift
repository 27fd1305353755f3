import ArgumentParser
import CLinux
import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The reading side of a ``Mechanism``, in a separate process: reports over its standard input, which is a
/// socket, what it has decoded and when.
struct ReaderCommand: ParsableCommand {
    static let name = "reader"
    static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

    @Argument var mechanism: Mechanism
    @Argument var folder: String

    private static let socket = STDIN_FILENO

    func run() throws {
        try BenchCommand.run {
            let folder = URL(fileURLWithPath: folder, isDirectory: true)
            switch mechanism {
            case .wake: try watchStore(folder)
            case .floor: try receiveDatagrams()
            case .poll1ms: try pollStore(folder)
            case .jsonRename: try watchFile(folder)
            }
        }
    }

    private static func saw(_ revision: Revision) throws {
        let seen = Message.Seen(revision: revision, time: MonotonicTime.now())
        do {
            try seen.send(over: socket)
        } catch let error as SystemError where error.code == EPIPE {
            // The writer has finished: the socket is readable now, and the thread that waits for it ends.
        }
    }

    private func watchStore(_ folder: URL) throws {
        let store = try StateStore(group: AppGroup(folder: folder))
        let watcher = try StateWatcher(
            store: store, since: try store.revision(),
            onChange: { changes in
                // The rows are decoded by now; a writer that has gone away is noticed below.
                if let newest = changes.dictations.last { try? Self.saw(newest.revision) }
            },
            onFailure: {
                Complaint.say("the watcher failed: \($0)")
                shutdown(Self.socket, Int32(SHUT_RDWR))
            })
        defer { watcher.stop() }
        try Message.Seen.hello.send(over: Self.socket)
        // The writer sends nothing: its socket becomes readable when it closes it.
        _ = try waitUntilReadable([Self.socket])
    }

    private func receiveDatagrams() throws {
        try Message.Seen.hello.send(over: Self.socket)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            _ = try waitUntilReadable([Self.socket])
            let count = try retryingInterrupted("receive") { recv(Self.socket, &buffer, buffer.count, 0) }
            guard let message = Message.decode(buffer.prefix(count)) else { return }
            try Self.saw(message.revision)
        }
    }

    private func pollStore(_ folder: URL) throws {
        let store = try StateStore(group: AppGroup(folder: folder))
        var last = try store.revision()
        try Message.Seen.hello.send(over: Self.socket)
        // The time-out is the millisecond between two looks.
        while try waitUntilReadable([Self.socket], until: .now + .milliseconds(1)).isEmpty {
            guard try store.revision() > last else { continue }
            let changes = try store.changes(since: last)
            last = changes.revision
            if let newest = changes.dictations.last { try Self.saw(newest.revision) }
        }
    }

    private func watchFile(_ folder: URL) throws {
        let inotify = try Descriptor.opening("watch a folder (inotify)") {
            inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        }
        try retryingInterrupted("watch \(folder.path)") {
            inotify_add_watch(inotify.raw, folder.path, UInt32(IN_MOVED_TO))
        }
        let file = folder.appendingPathComponent(Snapshot.fileName)
        let decoder = JSONDecoder()
        var events = [UInt8](repeating: 0, count: 4096)
        try Message.Seen.hello.send(over: Self.socket)
        while try !waitUntilReadable([inotify.raw, Self.socket]).contains(Self.socket) {
            // The only file that is renamed to here is ours: which event it was says nothing more.
            _ = read(inotify.raw, &events, events.count)
            let snapshot = try decoder.decode(Snapshot.self, from: Data(contentsOf: file))
            try Self.saw(snapshot.revision)
        }
    }
}
