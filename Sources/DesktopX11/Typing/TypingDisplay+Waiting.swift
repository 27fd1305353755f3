import CX11
import DictationSystem

/// Waiting for others: the keyboard's owner, the application, the server's events.
extension TypingDisplay {
    /// - Returns: false if another client keeps the keyboard for itself.
    func waitUntilKeyboardIsFree() throws -> Bool {
        let deadline = ContinuousClock.now + Self.busyLimit
        while true {
            pump()
            isKeyboardGrabbed = true
            // The first answer may be older than our wish to hear of the grab's end.
            let isTaken = isKeyboardTaken() && isKeyboardTaken()
            try connection.checkAlive()
            if !isTaken { return true }
            pump()
            while isKeyboardGrabbed {
                let left = ContinuousClock.now.duration(to: deadline)
                if left <= .zero { return false }
                try connection.waitForInput(atMost: left)
                pump()
                try connection.checkAlive()
            }
            if ContinuousClock.now >= deadline { return false }
        }
    }

    /// What asks for ``isKeyboardTaken()``.
    var grabQuestion: Question { .keyboardGrab(on: journal.witness) }

    /// Whether another client has the keyboard for itself.
    func isKeyboardTaken() -> Bool { connection.isKeyboardTaken(grabQuestion) }

    /// As ``isKeyboardTaken()``, for who knows nothing yet.
    func isKeyboardTakenNow() throws -> Bool {
        let isTaken = isKeyboardTaken()
        try connection.checkAlive()
        return isTaken
    }

    // MARK: Events

    /// Answers to pings go to the root window (Qt sends them as if they were structure events); the focus events of
    /// the target tell when somebody grabs the keyboard. Only while typing: nothing wakes or fills up an idle typist.
    func observe(_ run: Run, isObserved: Bool) {
        target = isObserved ? run.window : 0
        isTargetGone = false
        isKeyboardGrabbed = false
        let inquiries = connection.inquiries
        inquiries.select(isObserved ? SubstructureNotifyMask | StructureNotifyMask : 0, of: connection.root)
        inquiries.select(isObserved ? FocusChangeMask : 0, of: run.inner)
        if run.inner != run.window || isObserved {
            let masks = run.inner == run.window ? FocusChangeMask | StructureNotifyMask : StructureNotifyMask
            inquiries.select(isObserved ? masks : 0, of: run.window)
        }
        if !isObserved { connection.sync() }
    }

    /// Handles every event that has arrived, without waiting.
    func pump() {
        while let event = connection.nextEvent() { handle(event) }
    }

    func handle(_ event: XEvent) {
        if keyboard.isChange(event) { keyboard.markStale() }
        passing?.handle(event)
        switch event.type {
        case SelectionRequest where event.xselectionrequest.selection == connection.atom(Self.readSelection):
            answerReadSelection(event.xselectionrequest)
        case ClientMessage where event.xclient.message_type == connection.atom("WM_PROTOCOLS"):
            pings.handleAnswer(UInt32(truncatingIfNeeded: event.xclient.data.l.1))
        case FocusOut where event.xfocus.mode == NotifyGrab: isKeyboardGrabbed = true
        case FocusIn where event.xfocus.mode == NotifyUngrab: isKeyboardGrabbed = false
        case DestroyNotify: isTargetGone = isTargetGone || event.xdestroywindow.window == target
        case GenericEvent where devices.isRearranging(event): keyboards = nil
        default:
            if let key = devices.captured(event) { captured.append(key) }
        }
    }
}

extension DisplayConnection {
    /// - Parameter question: ``Question/keyboardGrab(on:)``.
    func isKeyboardTaken(_ question: Question) -> Bool {
        answer(question) { reply in
            Int32(reply.assumingMemoryBound(to: xcb_grab_keyboard_reply_t.self).pointee.status)
                == AlreadyGrabbed
        } ?? false
    }
}
