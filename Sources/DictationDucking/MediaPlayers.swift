import DictationBus
import DictationSystem
import Foundation
import Logging

extension Ducking {
    /// Pauses the media players of the session that are playing (MPRIS, org.mpris.MediaPlayer2), and lets exactly those
    /// play on.
    ///
    /// - Parameter journal: a file in a folder that is there; the players that it names play on.
    public static func mediaPlayers(
        journal: URL, logger: Logger = Logger(label: "players")
    ) -> Ducking {
        Ducking(
            thread: "players", of: { PlayerSession(journal: NoteFile(path: journal.path)) },
            complaint: "media players are not paused",
            logger: logger)
    }
}

private struct PlayerSession: Noise {
    /// A player on the bus.
    fileprivate struct Player: Codable, Equatable {
        let name: String
        /// The connection behind the name: another process of the same name was not paused by us.
        let owner: String
    }

    let journal: NoteFile<[Player]>

    private static let prefix = "org.mpris.MediaPlayer2."
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    /// How long a player may take to answer: one that hangs must not keep the others playing.
    private static let patience: Duration = .milliseconds(300)

    func duck() throws {
        guard noted().isEmpty else { return }
        let bus = try Bus(.session)
        var paused: [Player] = []
        for name in try names(bus) {
            // A player that does not answer, or has just gone, is ignored.
            guard let owner = try? owner(of: name, bus), (try? status(of: name, bus)) == "Playing" else {
                continue
            }
            paused.append(Player(name: name, owner: owner))
            try journal.write(paused)
            _ = try? bus.call(name, Self.path, Self.interface, "Pause", within: Self.patience)
        }
    }

    /// Resumes the players that are still paused. Players that the user has started or stopped since stay
    /// so.
    func restore() throws {
        let paused = noted()
        guard !paused.isEmpty else { return }
        // Without a bus they are still to be asked, the next time.
        let bus = try Bus(.session)
        defer { journal.clear() }
        for player in paused where (try? owner(of: player.name, bus)) == player.owner {
            guard (try? status(of: player.name, bus)) == "Paused" else { continue }
            _ = try? bus.call(player.name, Self.path, Self.interface, "Play", within: Self.patience)
        }
    }

    private func noted() -> [Player] {
        // Without a file no player is paused; a file that cannot be read names none.
        journal.content ?? []
    }

    private func names(_ bus: Bus) throws(BusError) -> [String] {
        let answer = try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
        var names: [String] = []
        _ = answer.container("a", "s") {
            while let name = answer.string() { if name.hasPrefix(Self.prefix) { names.append(name) } }
        }
        return names
    }

    private func owner(of name: String, _ bus: Bus) throws(BusError) -> String? {
        try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner"
        ) { message throws(BusError) in try message.string(name) }.string()
    }

    private func status(of name: String, _ bus: Bus) throws(BusError) -> String? {
        let answer = try bus.call(
            name, Self.path, "org.freedesktop.DBus.Properties", "Get", within: Self.patience
        ) { message throws(BusError) in
            try message.string(Self.interface)
            try message.string("PlaybackStatus")
        }
        return answer.container("v", "s") { answer.string() } ?? nil
    }
}
