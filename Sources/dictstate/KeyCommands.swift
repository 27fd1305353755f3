import ArgumentParser
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// A command that a compositor's key binding runs. It returns as soon as the request is in the store: nobody reads an
/// answer, and each of them is a process of its own for every press.
protocol KeyCommand: ParsableCommand {
    static var isDown: Bool { get }
}

extension KeyCommand {
    func run() throws {
        try Session.run { session in
            try session.requireAgent(.host)
            _ = try session.store.submit(.key(isDown: Self.isDown), at: .thisProcessStarted)
        }
    }
}

extension Date {
    /// When the kernel started this process, to within 10 ms: the instant of the key, also where a busy machine lets a
    /// later process overtake this one.
    fileprivate static var thisProcessStarted: Date {
        let age = BootClock.seconds - ProcessIdentity.current.startedAfterBoot
        return Date(timeIntervalSinceNow: -max(0, age))
    }
}

struct PressCommand: KeyCommand {
    static let isDown = true
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Report that a key was pressed that the compositor has bound.",
        discussion: """
            With dictstate release on the release of the same key, the key works like the hotkey: hold it and speak, or \
            tap it to start and tap it again to stop. dictstate setup bindings writes such bindings for sway, Hyprland \
            and River. Returns without waiting for an answer.
            """)
}

struct ReleaseCommand: KeyCommand {
    static let isDown = false
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Report that the key was released whose press dictstate press reported.",
        discussion: "Returns without waiting for an answer. Without a press it does nothing.")
}
