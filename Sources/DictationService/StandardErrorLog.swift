import Foundation
import Glibc
import Logging

/// Logs to standard error: a line a message, with the program's name for people and the level for journald.
public struct StandardErrorLog: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]

    private let program: String
    /// systemd sets JOURNAL_STREAM where standard error goes to the journal (sd-daemon(3)).
    private let isJournal: Bool

    /// Makes this the log of the whole process. To be called once, at the start.
    public static func bootstrap(program: String, level: Logger.Level) {
        let isJournal = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil
        LoggingSystem.bootstrap { _ in
            StandardErrorLog(logLevel: level, program: program, isJournal: isJournal)
        }
    }

    init(logLevel: Logger.Level, program: String, isJournal: Bool) {
        self.logLevel = logLevel
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
        let line = Array("\(prefix)\(event.message)\(details)\n".utf8)
        // One write a line, so that lines of several threads do not mix. Nobody can be told that it failed.
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
