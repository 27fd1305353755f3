import ArgumentParser
import DictationSettings
import DictationShared

/// The programs' exit codes; above 63 they are those of sysexits.h. docs/troubleshooting.md lists them.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    /// No agent, no such dictation.
    case nothingThere = 2
    case wrongUsage = 64
    /// No display, or the hotkey is unavailable.
    case unavailable = 69
    /// Another agent of this role runs, or another process keeps the store locked.
    case tryAgainLater = 75
    /// The app group's folder is not fit for what a user dictates.
    case groupRefused = 77
    /// The settings file has an error.
    case badSettings = 78

    public var exitCode: ExitCode { ExitCode(rawValue) }

    /// The code for an error that any of the programs may meet; each adds those of its own libraries.
    public init(shared error: any Error) {
        switch error {
        case AppGroup.Refusal.relativePath: self = .wrongUsage
        case is AppGroup.Refusal, StoreError.refused: self = .groupRefused
        case is RoleLock.Taken: self = .tryAgainLater
        case SettingsError.invalidOption: self = .wrongUsage
        // Nothing is wrong with the settings.
        case SettingsError.unwritable: self = .failed
        case is SettingsError: self = .badSettings
        case StoreError.noSuchDictation: self = .nothingThere
        default: self = .failed
        }
    }
}
