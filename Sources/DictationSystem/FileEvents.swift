import CLinux
import Glibc

/// Nothing more can be watched: the kernel limits what all programs of a user watch together.
public enum WatchLimitError: Error, Equatable, CustomStringConvertible {
    case instances, watches

    public var description: String {
        switch self {
        case .instances:
            "This user's inotify instances are used up by other programs. Nothing was lost. Raise the limit: "
                + "sudo sysctl fs.inotify.max_user_instances=1024"
        case .watches:
            "This user's inotify watches are used up by other programs. Nothing was lost. Raise the limit: "
                + "sudo sysctl fs.inotify.max_user_watches=524288"
        }
    }
}

/// inotify(7): sleeps until something happens to a file or a folder.
///
/// ```swift
/// let events = try FileEvents()
/// try events.watch("/path", for: [.modified])
/// while let happened = try events.wait(stopping: wakeUp) { … }   // on its own thread
/// ```
///
/// A waiting thread sleeps in `poll`, which wakes four times as fast as a dispatch source.
public final class FileEvents: Sendable {
    /// The kinds of events to report.
    public struct Kinds: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ bits: some BinaryInteger) { rawValue = UInt32(truncatingIfNeeded: bits) }

        /// Bytes of the file were written.
        public static let modified = Kinds(IN_MODIFY)
        /// Mode, owner, times, or the number of names: a file that is removed while open only loses its name.
        public static let attributes = Kinds(IN_ATTRIB)
        /// The watched file or folder itself has another name now.
        public static let renamed = Kinds(IN_MOVE_SELF)
        public static let removed = Kinds(IN_DELETE_SELF)
        /// A process that had the file open for writing has closed it.
        public static let closedAfterWriting = Kinds(IN_CLOSE_WRITE)
        /// In the watched folder.
        public static let entryCreated = Kinds(IN_CREATE)
        public static let entryMovedIn = Kinds(IN_MOVED_TO)
        public static let entryMovedOut = Kinds(IN_MOVED_FROM)
        public static let entryRemoved = Kinds(IN_DELETE)
    }

    public struct Event: Sendable {
        public let kinds: Kinds
        /// The name of the folder's entry; empty for the watched file or folder itself.
        public let name: String
    }

    /// Names one watch.
    public struct Watch: Hashable, Sendable {
        fileprivate let descriptor: Int32
    }

    private let inotify: Descriptor

    /// - Throws: ``WatchLimitError``; ``SystemError`` when inotify is not to be had for another reason.
    public init() throws {
        do {
            inotify = try .opening("watch files (inotify)") {
                inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            }
        } catch let error as SystemError where error.code == EMFILE {
            // The same code means that this process has too many descriptors. Then it cannot have another one either.
            guard (try? WakeUp()) != nil else { throw error }
            throw WatchLimitError.instances
        }
    }

    /// Begins to watch what `path` names now; symbolic links are followed. A second watch of the same file or
    /// folder adds to the first.
    ///
    /// - Throws: ``WatchLimitError``; ``SystemError``, `ENOENT` when nothing is there.
    @discardableResult
    public func watch(_ path: String, for kinds: Kinds) throws -> Watch {
        do {
            return Watch(
                descriptor: try retryingInterrupted("watch \(path)") {
                    inotify_add_watch(inotify.raw, path, kinds.rawValue | UInt32(IN_MASK_ADD))
                })
        } catch let error as SystemError where error.code == ENOSPC {
            throw WatchLimitError.watches
        }
    }

    public func unwatch(_ watch: Watch) {
        // The kernel has removed it already if the file has gone.
        _ = inotify_rm_watch(inotify.raw, watch.descriptor)
    }

    /// For ``waitUntilReadable(_:timeout:)``: readable once something has happened, until ``take()``.
    public var raw: Int32 { inotify.raw }

    /// Sleeps until something has happened.
    ///
    /// - Returns: nil once `stopping` was signaled.
    public func wait(stopping: WakeUp) throws -> [Event]? {
        try waitUntilReadable([raw, stopping.raw]).contains(stopping.raw) ? nil : take()
    }

    /// The events so far, without waiting. A burst is read at once.
    public func take() -> [Event] {
        var events: [Event] = []
        takeEach { kinds, name in
            events.append(Event(kinds: kinds, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
        }
        return events
    }

    /// Like ``take()``, without names: the kinds of all events.
    public func takeKinds() -> Kinds {
        var all: Kinds = []
        takeEach { kinds, _ in all.formUnion(kinds) }
        return all
    }

    private func takeEach(_ body: (Kinds, UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            let count = read(inotify.raw, buffer.baseAddress, buffer.count)
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= count {
                let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(count, offset + header + Int(event.len))
                body(
                    Kinds(rawValue: event.mask),
                    UnsafeRawBufferPointer(rebasing: buffer[(offset + header)..<end]))
                offset = end
            }
        }
    }
}
