import CX11
import Desktop
import DictationSystem

extension TypingDisplay {
    /// How long after the application has read the paste key, or has last asked for anything, it may take to ask for
    /// the text: it does so at once, or never, but on a busy machine "at once" needs a moment.
    static let askingTime: Duration = .milliseconds(500)
    /// One that does not say when it has read the key may be that much later.
    static let silentAskingTime: Duration = .seconds(2)
    /// One that stood still may ask when the former content is back, and must not get that in place of the text. So long
    /// it gets nothing.
    static let lateTime: Duration = .seconds(10)
    /// An application that has the text may ask for more (Chromium looks four times at the formats that there are), and
    /// must not find the former content in the middle of it. So long nothing was asked when it is put back.
    static let lingering: Duration = .milliseconds(100)
    /// How long an application that is to fetch a text may be silent before it is asked again whether it reads. With ibus,
    /// Chromium may have our answer in its queue, and yet wait until the display sends something: one paste in seven stood
    /// still in the middle until the next event of any kind. The question is one.
    static let silence: Duration = .milliseconds(20)

    /// Inserts a text by the clipboard: owns it for a moment, presses the paste key, waits until the application has
    /// fetched the text, and puts back what was there.
    ///
    /// - Parameters:
    ///   - isTerminal: there the key may stand for the primary selection, so that is used as well.
    ///   - taken: called when the application has the text; may block.
    func paste(
        _ text: String, into expected: WindowInfo?, keys: PasteKeys, isTerminal: Bool,
        clipboard: ClipboardServer,
        record: TypingRecord?, taken: () throws -> Void
    ) throws -> PasteOutcome {
        var run: Run
        switch try prepare(expected, record: record) {
        case .success(let ready): run = ready
        case .failure(let stop): return .stopped(stop.reason)
        }
        defer { connection.inquiries.forget() }
        unanswered.removeAll(where: \.isOver)
        // xterm frees what a paste that waits will need (`UnmapSelections`) when another one comes, and crashes once
        // it has waited long enough. The others of them ask anew, and forget the first question.
        if isTerminal, unanswered.contains(where: { $0.window == run.window }) { return .stillWaiting }
        guard let stroke = keyboard.chord(keys) else { return .notPossible(.noPasteKey) }
        // One request holds so many units of four bytes; the transfer in pieces is for other people's pictures.
        guard text.utf8.count / 4 < XMaxRequestSize(connection.display) - 64 else {
            return .notPossible(.tooLong)
        }
        let window = connection.makeHiddenWindow()
        defer { XDestroyWindow(connection.display, window) }
        let selections = [connection.atom("CLIPBOARD")] + (isTerminal ? [Atom(XA_PRIMARY)] : [])
        var former: [(Atom, SelectionContent?)] = []
        do {
            let reader = SelectionReader(connection: connection, window: window)
            for selection in selections { former.append((selection, try reader.read(selection))) }
        } catch is SelectionReader.Failure {
            return .notPossible(.unreadable)
        }
        observe(run, isObserved: true)
        defer { observe(run, isObserved: false) }
        guard try waitUntilKeyboardIsFree() else { return .stopped(.keyboardBusy) }
        let passing = PassingText(text, from: window, to: run.inner, on: connection, clients: clients) {
            [journal] in
            guard let record else { return }
            journal.note(TypingJournal.Progress(count: record.scalars))
        }
        self.passing = passing
        journal.note(unanswered + [TypingJournal.Paste(into: run.window)])
        for selection in selections {
            XSetSelectionOwner(connection.display, selection, window, Time(CurrentTime))
        }
        // Until it is known that the application has it, or has not even seen the key.
        var mayComeLate = true
        defer {
            let late = ClipboardServer.LatePaste(window: run.inner, end: .now + Self.lateTime)
            putBack(former, from: window, clipboard, refusing: mayComeLate ? late : nil)
            // What was asked of us until then is answered: an application may wait for that and do nothing else.
            pump()
            journal.note(unanswered)
            self.passing = nil
        }
        guard selections.allSatisfy({ XGetSelectionOwner(connection.display, $0) == window }) else {
            return .notPossible(.refused)
        }
        let outcome = try press(stroke, &run, passing, taken: taken)
        switch outcome {
        case .notTaken, .unsure: break
        default: mayComeLate = false
        }
        if outcome == .pasted { linger(passing, run) }
        try connection.checkAlive()
        return outcome
    }

    private func press(
        _ stroke: TypingKeyboard.Chord, _ run: inout Run, _ passing: PassingText, taken: () throws -> Void
    ) throws -> PasteOutcome {
        begin(&run)
        defer {
            _ = restore(&run)
            journal.clear()
        }
        if let reason = press(stroke, &run) { return .stopped(reason) }
        let outcome = try awaitTaking(passing, run)
        // Before the notes in the server are cleared: whoever is killed now must find it in one of the two.
        if outcome == .pasted { try taken() }
        return outcome
    }

    private func press(_ stroke: TypingKeyboard.Chord, _ run: inout Run) -> TypingOutcome.StopReason? {
        connection.grabServer()
        defer {
            connection.ungrabServer()
        }
        askAround(run)
        lift(&run)
        if let reason = lookAround(&run) { return reason }
        letGo(&run)
        for keycode in stroke.modifiers { keyboard.send(keycode, isDown: true) }
        keyboard.send(stroke.keycode, isDown: true)
        keyboard.send(stroke.keycode, isDown: false)
        for keycode in stroke.modifiers.reversed() { keyboard.send(keycode, isDown: false) }
        return nil
    }

    /// Gives the text to whoever asks, until the application has it, or does not want it.
    private func awaitTaking(_ passing: PassingText, _ run: Run) throws -> PasteOutcome {
        ask(run)
        var hasReadKey = false
        var deadline =
            ContinuousClock.now + (run.barrier.isSure ? answerLimit : Self.silentAskingTime)
        while true {
            pump()
            if passing.isTaken { return .pasted }
            if passing.isReplaced { return .unsure }
            try connection.checkAlive()
            if isTargetGone { return passing.isGiven ? .unsure : .stopped(.windowClosed) }
            if isAnswered(run), !hasReadKey {
                hasReadKey = true
                deadline = .now + Self.askingTime
            }
            if let asked = passing.lastRequest {
                deadline = max(deadline, asked + (passing.isGiven ? Typist.answerLimit : Self.askingTime))
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero {
                let isUntouched = passing.lastRequest == nil && !passing.isGivenToOthers
                return isUntouched && hasReadKey ? .notTaken : .unsure
            }
            try waitForInput(of: run, atMost: left)
        }
    }

    /// Goes on giving the text, until the application is done with the paste.
    private func linger(_ passing: PassingText, _ run: Run) {
        ask(run)
        let limit = ContinuousClock.now + Typist.answerLimit
        while !connection.isLost, !isTargetGone, ContinuousClock.now < limit {
            pump()
            let quiet = passing.lastRequest.map { $0 + Self.lingering } ?? .now
            let left = ContinuousClock.now.duration(to: quiet)
            if left <= .zero && (isAnswered(run) || !run.barrier.isSure) { return }
            let wait = left > .zero ? left : ContinuousClock.now.duration(to: limit)
            do { try waitForInput(of: run, atMost: wait) } catch { return }
        }
    }

    private func waitForInput(of run: Run, atMost limit: Duration) throws {
        if try !connection.waitForInput(atMost: min(limit, Self.silence)) { askAgain(run) }
    }

    func copy(_ text: String, to clipboard: ClipboardServer) throws {
        clipboard.hold(SelectionContent(text: text, connection: connection), as: connection.atom("CLIPBOARD"))
        try connection.checkAlive()
    }

    private func putBack(
        _ former: [(Atom, SelectionContent?)], from window: Window, _ clipboard: ClipboardServer,
        refusing late: ClipboardServer.LatePaste?
    ) {
        for (selection, content) in former
        where XGetSelectionOwner(connection.display, selection) == window {
            if let content, !content.isEmpty {
                clipboard.hold(content, as: selection, refusing: late)
            } else {
                XSetSelectionOwner(connection.display, selection, 0, Time(CurrentTime))
            }
        }
        connection.sync()
    }
}

/// A text that is on the clipboard for a moment, and what has become of it.
final class PassingText {
    /// Ours, which owns the selections.
    private let window: Window
    /// A window of the application that is meant.
    private let target: Window
    private let content: SelectionContent
    private let giver: SelectionGiver
    private let connection: DisplayConnection
    private let clients: ClientProcesses
    private let whenGiven: () -> Void
    /// Where the application was given the text.
    private var given: (window: Window, property: Atom)?
    /// When the application has last asked for anything.
    private(set) var lastRequest: ContinuousClock.Instant?
    /// Whether somebody else was given it, a clipboard manager for instance.
    private(set) var isGivenToOthers = false
    /// Whether the application has fetched all of it.
    private(set) var isTaken = false
    var isGiven: Bool { given != nil }
    /// Whether somebody else has copied something before the application asked: it may get that, and not the text.
    private(set) var isReplaced = false

    /// - Parameter whenGiven: called in the same breath as the word to the application that it has the text.
    init(
        _ text: String, from window: Window, to target: Window, on connection: DisplayConnection,
        clients: ClientProcesses, whenGiven: @escaping () -> Void
    ) {
        self.window = window
        self.target = target
        self.connection = connection
        self.clients = clients
        self.whenGiven = whenGiven
        giver = SelectionGiver(connection: connection)
        var content = SelectionContent(text: text, connection: connection)
        content.markAsPassing(connection)
        self.content = content
    }

    func handle(_ event: XEvent) {
        switch event.type {
        case SelectionRequest where event.xselectionrequest.owner == window:
            answer(event.xselectionrequest)
        case SelectionClear where event.xselectionclear.window == window: isReplaced = !isGiven
        case PropertyNotify:
            giver.handle(event.xproperty)
            // It has taken the text away, so it has it.
            if event.xproperty.state == PropertyDelete, event.xproperty.window == given?.window,
                event.xproperty.atom == given?.property, !giver.isBusy
            {
                isTaken = true
            }
        // GTK asks from a window made for this one question, where another one of its is still unanswered (its owner
        // was killed, or hangs), and takes the answer away together with the window.
        case DestroyNotify where event.xdestroywindow.window == given?.window: isTaken = true
        default: break
        }
    }

    private func answer(_ request: XSelectionRequestEvent) {
        let isMeant = clients.isSameProcess(request.requestor, target)
        let isText = content.isText(request.target)
        if isMeant {
            lastRequest = .now
            let masks = PropertyChangeMask | StructureNotifyMask
            XSelectInput(connection.display, request.requestor, masks)
        }
        let format = giver.answer(request, with: content) { if isMeant && isText { whenGiven() } }
        guard format != nil, isText else { return }
        if isMeant {
            given = (request.requestor, request.property == 0 ? request.target : request.property)
        } else {
            isGivenToOthers = true
        }
    }
}

extension TypingKeyboard {
    /// A key together with the modifier keys that are held with it.
    struct Chord: Equatable {
        let modifiers: [UInt8]
        let keycode: UInt8
    }

    /// - Returns: nil where the layout has no such keys (a Latin v, on a Greek one).
    func chord(_ keys: PasteKeys) -> Chord? {
        let (modifiers, key): ([Int32], Int32) =
            switch keys {
            case .shiftInsert: ([XK_Shift_L], XK_Insert)
            case .controlV: ([XK_Control_L], XK_v)
            case .controlShiftV: ([XK_Control_L, XK_Shift_L], XK_v)
            }
        let held = modifiers.map(keycode(giving:))
        let pressed = keycode(giving: key)
        return pressed == 0 || held.contains(0) ? nil : Chord(modifiers: held, keycode: pressed)
    }
}
