import DictationSystem
import Foundation
import Logging
import Synchronization

/// The settings of an agent that runs: always the last good ones, read again when the file changes.
///
/// ```swift
/// let device = settings.current.audio.device           // where a setting is needed, each time
/// for await settings in settings.updates() { … }       // where a change means work
/// ```
public final class LiveSettings: Sendable {
    /// Lets options of the command line override a file, and refuses what only the program itself can judge.
    public typealias Preparation = @Sendable (inout LoadedSettings) throws(SettingsError) -> Void

    private let state: Mutex<LoadedSettings>
    private let limits: Mutex<RecentLimits>
    private let changes: Broadcast<Settings>
    private let file: SettingsFile
    private let prepare: Preparation
    private let logger: Logger
    private let follower: FileFollower

    /// Reads the file.
    ///
    /// - Throws: ``SettingsError``: there are no valid settings yet to continue with, and the defaults could
    ///   be against the user's will (a recording that is kept, another microphone).
    public init(
        file: SettingsFile, logger: Logger, preparing prepare: @escaping Preparation = { _ in }
    ) throws(SettingsError) {
        let bytes = try file.bytes()
        var loaded = try file.load(bytes)
        try prepare(&loaded)
        self.file = file
        self.prepare = prepare
        self.logger = logger
        follower = FileFollower(file: file, bytes: bytes, logger: logger)
        state = Mutex(loaded)
        limits = Mutex(RecentLimits(KeepingLimits(loaded.values)))
        changes = Broadcast(newest: loaded.values)
        for line in loaded.warningLines { logger.warning("\(line)") }
    }

    deinit { stop() }

    public var current: Settings { state.withLock { $0.values } }

    /// A part of ``current``, for code that a person waits for: the other parts are not copied.
    public func read<Value: Sendable>(_ part: (Settings) -> Value) -> Value {
        state.withLock { part($0.values) }
    }

    /// For how long after a change of the ``recentLimits`` nothing may be deleted because of them.
    public static let limitsPeriod = RecentLimits.period

    /// The limits that were in effect within the last minute, the present ones first. As long as there are several, nothing may
    /// be deleted because of them: the file may be half written.
    public var recentLimits: [KeepingLimits] { limits.withLock { $0.all(at: .now) } }

    /// Follows the file from now on, on a thread that sleeps until something happens to it.
    public func follow() {
        follower.follow { [weak self] bytes throws(SettingsError) in try self?.read(bytes) }
    }

    /// Follows no longer; the values stay.
    public func stop() {
        follower.stop()
        changes.finish()
    }

    /// The settings as they are, then each change; only the newest is kept for a reader that is late.
    public func updates() -> AsyncStream<Settings> { changes.stream() }

    private func read(_ bytes: [UInt8]) throws(SettingsError) {
        var loaded = try file.load(bytes)
        try prepare(&loaded)
        take(loaded)
    }

    private func take(_ new: LoadedSettings) {
        limits.withLock { $0.take(KeepingLimits(new.values), at: .now) }
        let old = state.withLock { state in
            let old = state
            state = new
            if new.values != old.values { changes.send(new.values) }
            return old
        }
        // An earlier one was reported before, though its line may have changed.
        let told = Set(old.warnings.map(\.message))
        for warning in new.warnings where !told.contains(warning.message) {
            logger.warning("\(warning.line(in: new.file))")
        }
        logger.notice("settings read from \(file.path)")
        let late = new.restartNeeded(since: old)
        if !late.isEmpty { logger.notice("\(late.joined(separator: ", ")): takes effect at the next start.") }
    }
}
