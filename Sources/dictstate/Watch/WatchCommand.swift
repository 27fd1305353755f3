import ArgumentParser
import DictationProgram
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Follow the state until interrupted: a live view in a terminal, otherwise a line for each change.",
        discussion: """
            In a terminal: the current dictation, the level of the microphone, the words so far, the last texts, the \
            agents, and how long each step took; q quits. With --format waybar, polybar or i3status: a line for a \
            status bar whenever it changes.
            """)

    @Flag(help: "Print lines in a terminal too.")
    var lines = false
    @OptionGroup var output: FormatOptions

    func run() throws {
        switch output.chosen {
        case .json: try watchLines(json: true)
        case .plain: try watchLines(json: false)
        case let format?: try watchBar(format)
        case nil:
            if !lines, isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 {
                try watchOnScreen()
            } else {
                try watchLines(json: false)
            }
        }
    }

    // MARK: Lines

    private func watchLines(json: Bool) throws {
        try Session.run { session in
            // The store's contents are history; only the newest dictation is of interest, because it shows
            // the present state.
            let seen = try session.store.revision()
            let newest = try session.store.history(limit: 1).first
            if let newest {
                try show(newest, json: json)
            } else if json {
                try JSONLine.print(NothingJSON(revision: seen))
            } else {
                print("Nothing was dictated yet.")
                try StandardStreams.flushOutput()
            }
            var hasLooked = false
            _ = try StoreFollower(session, since: seen).wait { changes -> Never? in
                if changes.isComplete, hasLooked { try show(.startAnew(changes.revision), json: json) }
                hasLooked = true
                for id in changes.removed { try show(.removed(id, changes.revision), json: json) }
                // The newest may have changed between the two looks; then it is shown already.
                for state in changes.dictations where changes.isComplete || state != newest {
                    try show(state, json: json)
                }
                return nil
            }
        }
    }

    private func show(_ removal: RemovalJSON, json: Bool) throws {
        if json {
            try JSONLine.print(removal)
        } else if case .removed(let id, _) = removal {
            print("                     …\(id.description.suffix(8))  removed")
            try StandardStreams.flushOutput()
        }
    }

    private func show(_ state: DictationState, json: Bool) throws {
        if json {
            try JSONLine.print(DictationJSON(state: state))
        } else {
            print(Description.line(state))
            try StandardStreams.flushOutput()
        }
    }

    // MARK: A status bar

    private func watchBar(_ format: OutputFormat) throws {
        try Session.run { session in
            let seen = try session.store.revision()
            let agents = try AgentArrivals(in: session.group)
            var shown: String?
            let follower = try StoreFollower(session, since: seen)
            _ = try follower.wait(alsoWaitingFor: { agents.raw }) { _ -> Never? in
                agents.clear()
                let line = try session.statusBar().line(format)
                if line != shown {
                    print(line)
                    try StandardStreams.flushOutput()
                }
                shown = line
                return nil
            }
        }
    }

    // MARK: The screen

    private func watchOnScreen() throws {
        let signals = try TerminalScreen.catchSignals()
        try Session.run { session in
            let screen = try TerminalScreen(signals: signals)
            // Errors are printed on the restored terminal.
            defer { screen.close() }
            let seen = try session.store.revision()
            let agents = try AgentArrivals(in: session.group)
            var meter = try RecordingMeter()
            let meterDescriptor = meter.raw
            var drawn: WatchView?
            let follower = try StoreFollower(session, since: seen)
            _ = try follower.wait(
                alsoWaitingFor: { agents.raw + screen.raw + [meterDescriptor] }
            ) { _ -> Bool? in
                agents.clear()
                let events = try screen.take()
                if events.contains(.quit) { return true }
                var view = WatchView()
                // More than any terminal is high would not be seen.
                view.history = try session.store.history(limit: max(1, TerminalScreen.size.height))
                view.agents = try AgentRole.allCases.map { role in
                    let holder = try RoleLock.holder(of: role, in: session.group)
                    return (role, holder?.pid, holder != nil)
                }
                let isRecording = view.history.first.map { [.starting, .recording].contains($0.status) }
                meter.follow(isRecording == true ? view.history.first?.id : nil, in: session.group)
                meter.look()
                view.recording = meter.reading
                if view != drawn || events.contains(.redraw) {
                    let size = TerminalScreen.size
                    screen.draw(view.lines(width: size.width, height: size.height))
                    drawn = view
                }
                return nil
            }
        }
    }
}
