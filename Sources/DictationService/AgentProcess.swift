import ArgumentParser
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// The options that both agents have.
public struct AgentOptions: ParsableArguments {
    @Option(
        help:
            "How much to log to standard error: \(AgentOptions.list). (default: log.level of the settings)",
        completion: .list(levels),
        transform: AgentOptions.level(named:))
    public var logLevel: Logger.Level?

    public init() {}

    private static let levels = Logger.Level.allCases.map(\.rawValue)
    private static let list = levels.joined(separator: ", ")

    private static func level(named name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name.lowercased()) else {
            throw ValidationError(
                "There is no log level \(name). Use one of \(list).")
        }
        return level
    }
}

/// The means of an agent's work.
public struct AgentContext: Sendable {
    public let group: AppGroup
    public let store: StateStore
    /// An agent writes its changes of dictations through this: it outlives a failing store.
    public let keeper: DictationKeeper
    public let settings: LiveSettings
    public let logger: Logger
}

extension AgentContext {
    /// Makes a role this process's own, for as long as the store lives. Waits while another program keeps the store locked.
    public func assume(_ lock: RoleLock) async throws {
        // If the folder was created again, others see only the lock in the new one.
        store.beforeReopening { try lock.renew() }
        try await RetryPolicy.savingWhatIsKept.run(isTransient: StoreError.isBusy) {
            try store.refuseAbandonedIntents(of: lock.role)
        }
    }
}

/// The life of an agent as a process: takes the role, opens the store, runs until it is told to stop, and turns
/// every failure into a message and an exit code.
public enum AgentProcess {
    /// - Parameters:
    ///   - prepareSettings: lets the agent's own options override the settings file, and checks what only the agent
    ///     can.
    ///   - status: the exit code for errors of the agent's own libraries; nil for those it does not know.
    ///   - readyMessage: the next message for a user at the terminal.
    ///   - makeServices: makes the agent, or all agents that this process is; when it returns, they run. They
    ///     are stopped one after another, the last one first.
    public static func run(
        role: AgentRole, options: AgentOptions,
        prepareSettings: @escaping LiveSettings.Preparation = { _ in }, status: (any Error) -> ExitStatus?,
        makeServices: (AgentContext) async throws -> (services: [any Service], readyMessage: String)
    ) async -> Never {
        var code = ExitStatus.done.exitCode
        do {
            try await live(
                role: role, options: options, prepareSettings: prepareSettings, status: status,
                makeServices: makeServices)
        } catch let ended as ExitCode {
            code = ended
        } catch {
            code = ExitStatus.failed.exitCode
        }
        // An engine's library may be loading a model on another thread: exit(3) would destroy its data.
        _exit(code.rawValue)
    }

    private static func live(
        role: AgentRole, options: AgentOptions, prepareSettings: @escaping LiveSettings.Preparation,
        status: (any Error) -> ExitStatus?,
        makeServices: (AgentContext) async throws -> (services: [any Service], readyMessage: String)
    ) async throws {
        ProgramStart.outliveReaders()
        StandardErrorLog.bootstrap(program: role.rawValue)
        let logger = Logger(label: role.rawValue)
        do {
            let logLevel = options.logLevel
            let settings = try LiveSettings(file: .standard(), logger: logger) {
                loaded throws(SettingsError) in
                loaded.override(\.log.level, "log.level", with: logLevel, by: "--log-level")
                try prepareSettings(&loaded)
            }
            StandardErrorLog.setLevel(settings.current.log.level)
            let group = try AppGroup(folder: AppGroup.folder(named: settings.current.group.folder))
            let lock: RoleLock
            do { lock = try RoleLock(role, in: group) } catch let error as SystemError {
                // The lock's file must be created first, which fails in a folder that is not writable.
                try group.requireWritable()
                throw error
            }
            let store = try await open(group, logger)
            let keeper = DictationKeeper(store: store)
            // Nothing waits yet: the files are brought in order, and room is put by for a full disk.
            do { try store.checkpoint() } catch { logger.warning("checkpoint: \(error)") }
            let context = AgentContext(
                group: group, store: store, keeper: keeper, settings: settings, logger: logger)
            // The lock lives as long as the store does.
            defer { withExtendedLifetime(store) {} }
            try await context.assume(lock)
            let (agents, message) = try await makeServices(context)
            let levels = Task {
                for await new in settings.updates() { StandardErrorLog.setLevel(new.log.level) }
            }
            defer { levels.cancel() }
            SettingsFile.makeUsualFolder()
            settings.follow()
            defer { settings.stop() }
            logger.notice("\(role.rawValue) is ready. \(message)")
            SystemdNotification.ready.send()
            var quiet = logger
            quiet.logLevel = .warning
            let services = ServiceGroup(
                configuration: .init(
                    services: agents.map {
                        .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                    } + [.init(service: StopNotice(), successTerminationBehavior: .ignore)],
                    // A closed terminal ends the agent as well, unless it was started with nohup.
                    gracefulShutdownSignals: [.sigterm, .sigint]
                        + (isIgnored(SIGHUP) ? [] : [.sighup]), logger: quiet))
            try await services.run()
            keeper.writeWhatWaits()
            if keeper.waiting > 0 {
                logger.error(
                    """
                    \(keeper.waiting.counted("dictation")) could not be written. Their recordings are in \
                    \(group.audioFolder.path)
                    """)
            }
            logger.notice("\(role.rawValue) has stopped")
        } catch {
            logger.error("\(error)")
            throw (status(error) ?? ExitStatus(shared: error)).exitCode
        }
    }
    /// Waits while another program keeps the store locked: one of an older version is migrated under that lock.
    private static func open(_ group: AppGroup, _ logger: Logger) async throws -> StateStore {
        var isTold = false
        let isTransient = { (error: any Error) in
            guard StoreError.isBusy(error) else { return false }
            if !isTold { logger.error("\(error)") }
            isTold = true
            return true
        }
        return try await RetryPolicy.savingWhatIsKept.run(isTransient: isTransient) {
            try StateStore(group: group) { notice in
                logger.log(level: notice.isProblem ? .error : .notice, "\(notice)")
            }
        }
    }
}
