import CX11
import Desktop
import DictationSystem
import Glibc

/// The barrier: knowing that an application has read every key that was sent to it.
///
/// An application translates a key when it reads it, by the map that the server has then. So a key that was bound for
/// one character must stay bound until it was read, and no time is long enough for that: on a busy machine xterm was
/// seen to read its keys more than 150 ms late. What is asked behind the keys, in the same queue, is answered when they
/// were read.
extension TypingDisplay {
    /// How a window can be asked.
    enum Barrier: Equatable {
        /// `_NET_WM_PING`: every toolkit of today, for the window manager's sake.
        case ping
        /// The Editres protocol of the X Toolkit, which xterm and its relatives speak: a message names a selection, and
        /// the application asks its owner, us, what it is to do. We refuse, and have the answer.
        case editres
        /// Neither is known. It is asked by Editres; where it does not answer, a time must do.
        case unknown

        /// Whether it will answer for sure.
        var isSure: Bool { self != .unknown }
    }

    /// For a window that answers nothing at all (`st`, the oldest programs): in this time it has surely read a batch, on
    /// a machine that is not overloaded.
    static let silentReadingTime: Duration = .milliseconds(500)
    /// A name for this process alone. Else its predecessor's questions, which an application has still to read, would be
    /// answered here, as if they were about all that was sent since.
    static let readSelection = "_VOICEDICTATION_READ_\(getpid())"
    /// After so many keys that it has not read for certain, an application is asked while typing goes on.
    private static let questionInterval = 256
    /// Classes of windows that speak Editres.
    private static let editresClasses: Set<String> = ["XTerm", "UXTerm"]

    func barrier(of window: Window) -> Barrier {
        if case .words(let atoms)? = connection.property("WM_PROTOCOLS", of: window),
            atoms.contains(connection.atom("_NET_WM_PING"))
        {
            return .ping
        }
        if editresWindows.contains(window) { return .editres }
        return Self.editresClasses.contains(focus.windowClass(of: window)) ? .editres : .unknown
    }

    /// Asks the window, behind all keys that were sent.
    func ask(_ run: Run) {
        switch run.barrier {
        case .ping: sendPing(run.window, number: pings.ask())
        case .editres, .unknown: sendEditres(run.window)
        }
    }

    /// Asks a window that is silent once more, if it can be pinged. While it has not answered the last question, that one
    /// remains the one that counts.
    func askAgain(_ run: Run) {
        guard run.barrier == .ping else { return }
        if pings.isAnswered { ask(run) } else { sendPing(run.window, number: pings.repeat()) }
    }

    /// Whether the last question was answered.
    func isAnswered(_ run: Run) -> Bool {
        switch run.barrier {
        case .ping: pings.isAnswered
        case .editres, .unknown: questions[run.window].map { $0.answered == $0.asked } ?? false
        }
    }

    /// Returns when the application has read every key sent so far.
    ///
    /// - Returns: why not; nil if it has.
    func awaitReading(_ run: inout Run) -> TypingOutcome.StopReason? {
        connection.sync()
        let deadline =
            ContinuousClock.now + (run.barrier.isSure ? answerLimit : Self.silentReadingTime)
        ask(run)
        run.asked = nil
        while true {
            pump()
            if connection.isLost || isTargetGone { return .windowClosed }
            if isAnswered(run) {
                if run.barrier == .unknown { editresWindows.insert(run.window) }
                run.read = run.done
                return nil
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero {
                if run.barrier.isSure || clients.isStopped(run.window) {
                    run.isSilent = true
                    return .notResponding
                }
                run.read = run.done
                return nil
            }
            do { try connection.waitForInput(atMost: left) } catch { return .notResponding }
        }
    }

    /// Learns how far the application has read, without waiting: one question at a time is on its way to it.
    func noteReading(_ run: inout Run) {
        if run.barrier == .unknown {
            // It says nothing. Its plain keys wait for it, whatever comes; those that are bound have their own wait.
            if run.bindings.isEmpty { run.read = run.done }
            return
        }
        if let asked = run.asked {
            guard isAnswered(run) else { return }
            run.read = asked
            run.asked = nil
        }
        if run.done.scalars - run.read.scalars >= Self.questionInterval {
            ask(run)
            run.asked = run.done
        }
    }

    private func sendPing(_ window: Window, number: UInt32) {
        connection.sendPing(to: window, number: number)
    }

    private func sendEditres(_ window: Window) {
        let selection = connection.atom(Self.readSelection)
        // Another typist may have had it meanwhile.
        XSetSelectionOwner(connection.display, selection, journal.witness, Time(CurrentTime))
        // Windows come and go, and their numbers come again.
        if questions.count > 100 { questions = [:] }
        questions[window, default: (0, 0)].asked += 1
        connection.sendEditres(to: window, selection: selection, number: questions[window]?.asked ?? 0)
    }

    /// Refuses, as there is nothing that the application should do, and counts.
    func answerReadSelection(_ request: XSelectionRequestEvent) {
        for window in questions.keys where connection.isSameClient(window, request.requestor) {
            // A late answer to a question of an earlier run is one less to come.
            questions[window]?.answered += 1
        }
        SelectionGiver(connection: connection).answer(request, with: nil)
    }
}

extension DisplayConnection {
    /// EDITRES_NAME and CURRENT_PROTOCOL_VERSION of Xmu/EditresP.h.
    private static let editres = (name: "Editres", version: 5)

    func sendPing(to window: Window, number: UInt32) {
        sendMessage(to: window, "WM_PROTOCOLS", Int(atom("_NET_WM_PING")), Int(number), Int(window))
    }

    /// - Parameter selection: whose owner is asked what to do.
    func sendEditres(to window: Window, selection: Atom, number: Int) {
        sendMessage(
            to: window, Self.editres.name, Int(CurrentTime), Int(selection), number, Self.editres.version)
    }

    private func sendMessage(
        to window: Window, _ type: String, _ first: Int, _ second: Int, _ third: Int, _ fourth: Int = 0
    ) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = atom(type)
        event.xclient.format = 32
        event.xclient.data.l.0 = first
        event.xclient.data.l.1 = second
        event.xclient.data.l.2 = third
        event.xclient.data.l.3 = fourth
        XSendEvent(display, window, 0, 0, &event)
        flush()
    }
}

/// The pings of one typist, and whether the last question was answered.
struct Pings {
    /// Windows answer those of the window manager as well, in the same place: it numbers them by the time.
    private var last = UInt32.random(in: 1...(UInt32.max / 2))
    /// The first one that asks what the last question asks: whoever answers that, or a repetition, has read all that was
    /// sent before.
    private var asked: UInt32?
    private(set) var isAnswered = false

    /// - Returns: the number of the next ping.
    mutating func ask() -> UInt32 {
        isAnswered = false
        asked = last + 1
        return `repeat`()
    }

    mutating func `repeat`() -> UInt32 {
        last += 1
        return last
    }

    mutating func handleAnswer(_ number: UInt32) {
        if let asked, (asked...last).contains(number) { isAnswered = true }
    }
}
