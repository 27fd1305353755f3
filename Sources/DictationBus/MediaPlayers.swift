import DictationSystem
import Foundation
import Logging
import Synchronization

/// Pauses the media players of the session that are playing (MPRIS, org.mpris.MediaPlayer2), and lets exactly those play
/// on, on a thread that sleeps in between.
///
/// Whom it has paused is noted in a file first: what a killed process has left paused plays on when the next one starts.
///
/// ```swift
/// let players = MediaPlayers(journal: file)
/// players.setPaused(true)    // returns at once
/// players.setPaused(false)
/// await players.stop()       // whoever is paused plays on
/// ```
public final class MediaPlayers: Sendable {
    private struct State {
        var isPauseWanted = false
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Nil only when the process has no descriptors left: then nothing is paused.
    private let wakeUp = try? WakeUp()
    /// Ends with the thread.
    private let life: AsyncStream<Never>

    /// - Parameter journal: a file in a folder that is there; whoever it names plays on.
    public init(journal: URL, logger: Logger = Logger(label: "players")) {
        let (life, end) = AsyncStream.makeStream(of: Never.self)
        self.life = life
        guard let wakeUp else {
            end.finish()
            return
        }
        startThread(named: "players") { [weak self] in
            defer { end.finish() }
            let session = PlayerSession(journal: journal)
            var hasComplained = false
            while true {
                guard let (isPauseWanted, isStopped) = self?.wanted() else { return }
                do {
                    try isPauseWanted ? session.pause() : session.resume()
                } catch {
                    if !hasComplained { logger.notice("media players are not paused: \(error)") }
                    hasComplained = true
                }
                if isStopped { return }
                guard (try? waitUntilReadable([wakeUp.raw])) != nil else { return }
                wakeUp.clear()
            }
        }
    }

    deinit { wakeUp?.signal() }

    public func setPaused(_ isPaused: Bool) {
        let isNew = state.withLock { state in
            defer { state.isPauseWanted = isPaused }
            return state.isPauseWanted != isPaused
        }
        if isNew { wakeUp?.signal() }
    }

    /// Returns when whoever was paused plays on.
    public func stop() async {
        state.withLock { $0 = State(isPauseWanted: false, isStopped: true) }
        wakeUp?.signal()
        for await _ in life {}
    }

    private func wanted() -> (isPauseWanted: Bool, isStopped: Bool) {
        state.withLock { ($0.isPauseWanted, $0.isStopped) }
    }
}

/// The players that are paused by us: what the thread owns.
private struct PlayerSession {
    /// A player on the bus.
    private struct Player: Codable, Equatable {
        let name: String
        /// The connection behind the name: another process of the same name was paused by nobody.
        let owner: String
    }

    let journal: URL

    private static let prefix = "org.mpris.MediaPlayer2."
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"

    /// Does nothing where somebody is paused already.
    func pause() throws {
        guard noted().isEmpty else { return }
        let bus = try Bus(.session)
        let playing = try names(bus).compactMap { name -> Player? in
            // One that does not answer, or has just gone, is none.
            guard let owner = try? owner(of: name, bus), (try? status(of: name, bus)) == "Playing" else {
                return nil
            }
            return Player(name: name, owner: owner)
        }
        guard !playing.isEmpty else { return }
        try replaceFile(at: journal.path, with: Array(try JSONEncoder().encode(playing)))
        for player in playing { _ = try? bus.call(player.name, Self.path, Self.interface, "Pause") }
    }

    /// Lets those play on that are still paused: what the user has started or stopped meanwhile stays so.
    func resume() throws {
        let paused = noted()
        guard !paused.isEmpty else { return }
        // Without a bus they are still to be asked, the next time.
        let bus = try Bus(.session)
        defer { try? FileManager.default.removeItem(at: journal) }
        for player in paused where (try? owner(of: player.name, bus)) == player.owner {
            guard (try? status(of: player.name, bus)) == "Paused" else { continue }
            _ = try? bus.call(player.name, Self.path, Self.interface, "Play")
        }
    }

    private func noted() -> [Player] {
        // Without a file nobody is paused; one that cannot be read names nobody.
        (try? JSONDecoder().decode([Player].self, from: Data(contentsOf: journal))) ?? []
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
        let answer = try bus.call(name, Self.path, "org.freedesktop.DBus.Properties", "Get") {
            message throws(BusError) in
            try message.string(Self.interface)
            try message.string("PlaybackStatus")
        }
        return answer.container("v", "s") { answer.string() } ?? nil
    }
}
