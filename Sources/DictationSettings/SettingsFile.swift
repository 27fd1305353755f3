import DictationSystem
import Foundation
import Glibc

/// Where the settings are.
public struct SettingsFile: Equatable, Sendable {
    /// Names another file; tests always set it.
    public static let environmentVariable = "VOICEDICTATION_SETTINGS"
    /// A file that is larger is none of ours.
    static let sizeLimit = 1 << 20

    public let path: String
    /// Where the usual file was in earlier versions.
    private var formerPath: String?
    /// Overrides the file.
    private let variables: [String: String]

    /// - Parameter environment: variables such as `VOICEDICTATION_HOST_HOTKEY` override the file.
    public init(path: String, environment: [String: String] = [:]) {
        self.path = path
        variables = SettingsEnvironment.variables(in: environment, of: Settings.self)
    }

    /// The file that the environment names, or `$XDG_CONFIG_HOME/voicedictation/config.toml`, where
    /// `XDG_CONFIG_HOME` is `~/.config` unless it is set to an absolute path.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> SettingsFile {
        if let named = environment[environmentVariable], !named.isEmpty {
            return SettingsFile(
                path: URL(fileURLWithPath: named).standardizedFileURL.path, environment: environment)
        }
        let folder = UserFolder.configuration.path(environment) + "/voicedictation/"
        var file = SettingsFile(path: folder + "config.toml", environment: environment)
        file.formerPath = folder + "settings.toml"
        return file
    }

    /// Advice about a file under the name that the settings once had; nil if there is none.
    private var noteOnFormer: String? {
        guard let formerPath, FileManager.default.fileExists(atPath: formerPath) else { return nil }
        let isAlone = !FileManager.default.fileExists(atPath: path)
        return "\(formerPath) has no effect: the settings are in config.toml now. "
            + (isAlone
                ? "Rename it to use them again: mv \(formerPath) \(path)"
                : "Copy what you need into config.toml, and remove it.")
    }

    /// Makes the folder of the usual file, so that an agent can watch that instead of `~/.config`, where programs write
    /// all day and would wake it each time.
    public static func makeUsualFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard environment[environmentVariable]?.isEmpty ?? true else { return }
        // Without it the agent works as well, and wakes up more often.
        try? standard(environment: environment).makeFolder()
    }

    /// Makes the folder of the file if there is none; it is the user's alone.
    ///
    /// - Throws: ``SettingsError/unwritable(path:reason:)``.
    public func makeFolder() throws(SettingsError) {
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unwritable(path: path, reason: error.plainReason)
        }
    }

    /// A symbolic link that leads nowhere: the file, or a folder above it.
    private var danglingLink: (path: String, target: String)? {
        var place = path
        while place.count > 1 {
            // It does not follow the link.
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
                return FileManager.default.fileExists(atPath: place) ? nil : (place, target)
            }
            if FileManager.default.fileExists(atPath: place) { return nil }
            place = (place as NSString).deletingLastPathComponent
        }
        return nil
    }

    /// The bytes of the file; nil if there is none, which means the defaults.
    ///
    /// - Throws: ``SettingsError/unreadable(path:reason:)``, also for a symbolic link that leads nowhere.
    func bytes() throws(SettingsError) -> [UInt8]? {
        let data: Data
        do {
            data = try Data(ofPlainFile: path, upTo: Self.sizeLimit)
        } catch let error as SystemError where error.code == ENOENT {
            // What it leads to may be on a disk that is not mounted yet: the defaults could delete what it says to keep.
            if let link = danglingLink {
                throw .unreadable(
                    path: path,
                    reason:
                        "\(link.path) is a symbolic link to \(link.target), which is not there. Put it back, or remove the link"
                )
            }
            return nil
        } catch {
            throw .unreadable(path: path, reason: error.plainReason)
        }
        guard data.count <= Self.sizeLimit else {
            throw .unreadable(path: path, reason: "it is larger than 1 MiB, so it holds no settings")
        }
        return Array(data)
    }

    /// Reads the settings as they are now.
    ///
    /// - Throws: ``SettingsError``, with all that is wrong in the file.
    public func load() throws(SettingsError) -> LoadedSettings {
        try load(bytes())
    }

    func load(_ bytes: [UInt8]?) throws(SettingsError) -> LoadedSettings {
        var reading = bytes.map(Settings.reading) ?? .init(Settings())
        guard reading.problems.isEmpty else { throw .invalid(path: path, reading.problems) }
        let taken = try reading.take(variables)
        let loaded = LoadedSettings(
            file: path, exists: bytes != nil, note: noteOnFormer, reading: reading, variables: taken)
        try loaded.checkStyles()
        return loaded
    }

    /// The readable part of a file that is wrong elsewhere, so that a tool can still find the group and tell the
    /// user what is wrong.
    ///
    /// - Returns: nil when nothing can be understood, as in a file that is no TOML at all.
    public func loadWhatCanBeRead() -> LoadedSettings? {
        let found: [UInt8]?
        do { found = try bytes() } catch { return nil }
        var reading = found.map(Settings.reading) ?? .init(Settings())
        guard reading.isTOML else { return nil }
        let taken = (try? reading.take(variables)) ?? [:]
        return LoadedSettings(
            file: path, exists: found != nil, note: noteOnFormer, reading: reading, variables: taken)
    }
}
