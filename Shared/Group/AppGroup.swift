import CLinux
import DictationSystem
import Foundation

/// The folder that the processes share; see docs/store-protocol.md for what is in it.
public struct AppGroup: Sendable {
    public let folder: URL

    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case cannotCreate(path: String, reason: String)
        case symbolicLink(path: String)
        case notAFolder(path: String)
        case foreignOwner(path: String, owner: UInt32)
        case openToOthers(path: String, mode: UInt32)
        case unsuitableFileSystem(path: String, name: String)
        /// The environment names a path that depends on the working folder.
        case relativePath(String)

        public var description: String {
            switch self {
            case .cannotCreate(let path, let reason):
                "The app group folder \(path) cannot be created or read (\(reason)). "
                    + "Make it yours, or name another one in \(AppGroupConstants.environmentVariable)."
            case .symbolicLink(let path):
                "The app group folder \(path) is a symbolic link, which somebody could redirect. "
                    + "Name the folder itself in \(AppGroupConstants.environmentVariable)."
            case .notAFolder(let path):
                "The app group folder \(path) is a file. Move it away, or name another folder in "
                    + "\(AppGroupConstants.environmentVariable)."
            case .foreignOwner(let path, let owner):
                "The app group folder \(path) belongs to user \(owner), not to you. Name a folder of yours in "
                    + "\(AppGroupConstants.environmentVariable)."
            case .openToOthers(let path, let mode):
                "The app group folder \(path) is open to other users (mode \(String(mode, radix: 8))), and what you "
                    + "dictate is private. Nothing was changed. Close it: chmod 700 \(path.shellQuoted)"
            case .unsuitableFileSystem(let path, let name):
                "The app group folder \(path) is on \(name), where file locks or notifications between processes "
                    + "do not work reliably. Name a folder on a local disk in \(AppGroupConstants.environmentVariable)."
            case .relativePath(let path):
                "\(AppGroupConstants.environmentVariable) is not an absolute path: “\(path)” is another folder for each "
                    + "program. Nothing was opened. Set it to a path that begins with /."
            }
        }
    }

    /// The folder that the environment names, or `$XDG_DATA_HOME/voicedictation/group.voicedictation`.
    ///
    /// - Throws: ``Refusal/relativePath(_:)``.
    public static func defaultFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Refusal) -> URL {
        if let named = environment[AppGroupConstants.environmentVariable], !named.isEmpty {
            guard named.hasPrefix("/") else { throw .relativePath(named) }
            return URL(fileURLWithPath: named, isDirectory: true)
        }
        return URL(fileURLWithPath: UserFolder.data.path(environment), isDirectory: true)
            .appendingPathComponent(AppGroupConstants.applicationFolder, isDirectory: true)
            .appendingPathComponent(AppGroupConstants.identifier, isDirectory: true)
    }

    /// The folder that the environment names, or else the settings, or else the default.
    ///
    /// - Parameter configured: an absolute path; empty for none.
    /// - Throws: ``Refusal/relativePath(_:)``.
    public static func folder(
        named configured: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Refusal) -> URL {
        let isNamed = environment[AppGroupConstants.environmentVariable].map { !$0.isEmpty } ?? false
        return configured.isEmpty || isNamed
            ? try defaultFolder(environment: environment)
            : URL(fileURLWithPath: configured, isDirectory: true)
    }

    /// Opens the group, creating its folder (mode 0700) if it is missing.
    ///
    /// - Throws: ``Refusal`` for a folder that cannot be trusted with what a user dictates.
    public init(folder: URL) throws {
        self.folder = folder
        let path = folder.path
        try Self.makeIfMissing(path)
        try Self.check(path)
        try Self.makeIfMissing(audioFolder.path)
        try Self.check(audioFolder.path)
    }

    /// Opens the group that the environment names, or the usual one.
    ///
    /// - Throws: ``Refusal``.
    public init() throws { try self.init(folder: Self.defaultFolder()) }

    /// Looks whether the folder is there and can still be trusted; makes nothing.
    ///
    /// - Throws: ``Refusal``, or ``StoreError/vanished(path:)``.
    func lookAgain() throws {
        guard FileIdentity(path: folder.path).exists else { throw StoreError.vanished(path: folder.path) }
        try Self.check(folder.path)
    }

    /// Checks that its folders are writable, which an existing store does not need.
    ///
    /// - Throws: ``StoreError/readOnly(path:reason:)``.
    public func requireWritable() throws {
        for folder in [folder, audioFolder] where access(folder.path, W_OK | X_OK) != 0 {
            throw StoreError.readOnly(path: folder.path, reason: String(cString: strerror(errno)))
        }
    }

    public var database: URL { folder.appendingPathComponent(AppGroupConstants.File.database) }
    public var storeLock: URL { folder.appendingPathComponent(AppGroupConstants.File.storeLock) }
    public var revision: URL { folder.appendingPathComponent(AppGroupConstants.File.revision) }
    var reserve: URL { folder.appendingPathComponent(AppGroupConstants.File.reserve) }
    /// The media players that host-agent has paused for as long as it records.
    public var pausedPlayers: URL { folder.appendingPathComponent(AppGroupConstants.File.pausedPlayers) }
    /// The streams of other programs that host-agent has lowered while it records.
    public var loweredStreams: URL { folder.appendingPathComponent(AppGroupConstants.File.loweredStreams) }
    /// The recognizers' adaptations to microphones.
    public var adaptations: URL { folder.appendingPathComponent(AppGroupConstants.File.adaptations) }
    /// Until when no better recognizer is offered.
    public var recognizerOffer: URL {
        folder.appendingPathComponent(AppGroupConstants.File.recognizerOffer)
    }
    /// Gives the disk the room that was put by for the moment when it is full.
    ///
    /// - Returns: false if there was none any more.
    public func releaseReserve() -> Bool { SpaceReserve.release(reserve.path) }

    public var audioFolder: URL {
        folder.appendingPathComponent(AppGroupConstants.File.audioFolder, isDirectory: true)
    }

    /// Where a dictation's sound is kept until its text is delivered.
    public func audio(of id: DictationID) -> URL { audioFiles.recording(of: id) }

    public var audioFiles: AudioFolder { AudioFolder(folder: audioFolder) }

    public func lock(of role: AgentRole) -> URL { folder.appendingPathComponent(role.lockFile) }

    private static func makeIfMissing(_ path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 { return }
        let parent = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw Refusal.cannotCreate(path: path, reason: error.plainReason)
        }
        // Another process may create it at the same time, which is fine.
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Refusal.cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private static func check(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw Refusal.cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: break
        case S_IFLNK: throw Refusal.symbolicLink(path: path)
        default: throw Refusal.notAFolder(path: path)
        }
        if let name = FileSystemCheck.unsuitableName(of: path) {
            throw Refusal.unsuitableFileSystem(path: path, name: name)
        }
        guard status.st_uid == geteuid() else { throw Refusal.foreignOwner(path: path, owner: status.st_uid) }
        let mode = status.st_mode & 0o777
        guard mode & 0o077 == 0 else { throw Refusal.openToOthers(path: path, mode: mode) }
    }
}
