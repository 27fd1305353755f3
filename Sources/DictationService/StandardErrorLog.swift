import DictationSystem
import Foundation
import Glibc
import Logging
import Synchronization

/// Logs to standard error: a line a message, with the program's name for people and the level for journald.
public struct StandardErrorLog: LogHandler {
    /// The level of the whole process, unless a logger has its own.
    public var logLevel: Logger.Level {
        get { ownLevel ?? Self.processLevel.withLock { $0 } }
        set { ownLevel = newValue }
    }
    public var metadata: Logger.Metadata = [:]

    private static let processLevel = Mutex(Logger.Level.info)
    private var ownLevel: Logger.Level?
    private let program: String
    private let isJournal: Bool

    /// Makes this the log of the whole process. Call it once, at the start.
    public static func bootstrap(program: String) {
        let isJournal = goesToJournal
        LoggingSystem.bootstrap { _ in
            StandardErrorLog(program: program, isJournal: isJournal)
        }
    }

    /// Programs that a service has started have its JOURNAL_STREAM as well, such as those of a terminal: only
    /// if standard error is that file, it goes to the journal (systemd.exec(5)).
    private static var goesToJournal: Bool {
        var status = stat()
        guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"],
            fstat(STDERR_FILENO, &status) == 0
        else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sets the level of all loggers of the process, those that exist already included.
    public static func setLevel(_ level: Logger.Level) { processLevel.withLock { $0 = level } }

    init(program: String, isJournal: Bool) {
        self.program = program
        self.isJournal = isJournal
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let prefix = isJournal ? "<\(event.level.syslogPriority)>" : "\(program): \(event.level.word)"
        let line = Array("\(prefix)\("\(event.message)\(details)".displaySafe)\n".utf8)
        // One write per line, so that lines of several threads do not mix. A failure cannot be reported.
        _ = write(STDERR_FILENO, line, line.count)
    }
}

extension Logger.Level {
    /// syslog(3)'s numbers.
    fileprivate var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    fileprivate var word: String {
        switch self {
        case .trace, .debug, .info, .notice: ""
        case .warning: "warning: "
        case .error, .critical: "error: "
        }
    }
}
