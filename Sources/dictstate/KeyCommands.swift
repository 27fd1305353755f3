import ArgumentParser
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// A command that a compositor's key binding runs. It returns as soon as the request is in the store: nothing
/// reads an answer, and each press starts a process.
protocol KeyCommand: ParsableCommand {
    /// The event that it reports.
    var action: Intent.Action { get }
}

extension KeyCommand {
    func run() throws {
        try Session.run { session in
            try session.requireAgent(.host)
            _ = try session.store.submit(action, at: .thisProcessStarted)
        }
    }
}

extension Date {
    /// When the kernel started this process, to within 10 ms: the instant of the key, also if a busy machine lets a
    /// later process overtake this one.
    fileprivate static var thisProcessStarted: Date {
        let start = ProcessIdentity.current.startedAfterBoot
        // Both clocks are read last, one right after the other: the time of the measurement is not part of
        // the age.
        return Date(timeIntervalSinceNow: -max(0, BootClock.seconds - start))
    }
}

struct PressCommand: KeyCommand {
    @OptionGroup var choices: DictationChoices
    var action: Intent.Action { .key(isDown: true, choices.options) }
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Report the press of a key that the compositor binds.",
        discussion: """
            With dictstate release on the release of the same key, the key works like the hotkey: hold it and speak, or \
            tap it to start and tap it again to stop. dictstate setup bindings writes such bindings for sway, Hyprland \
            and River. The options concern a dictation that the press begins, as those of dictstate start. Returns \
            without waiting for an answer.
            """)
}

struct ReleaseCommand: KeyCommand {
    var action: Intent.Action { .key(isDown: false) }
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Report the release of the key that dictstate press has reported.",
        discussion: "Returns without waiting for an answer. Without a press it does nothing.")
}
