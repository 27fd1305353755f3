import CX11
import Desktop

/// What is asked of the server between the word that a text is ready and its first key.
///
/// Nearly always the answers are those of the last time: when a text gets ready, the window that it is for has had the focus
/// for a while. So whoever waits for texts has all of it asked beforehand (``rehearse()``), and what is to be decided is
/// decided by these answers. In the last look before the first key, while no other client can act, all of it is asked again,
/// in one exchange. If anything is not as it was, nothing is typed, and all begins anew (``LookOutdated``).
extension TypingDisplay {
    struct Look {
        /// The window with the focus, and the application window that holds it.
        var inner: Window = 0
        var toplevel: Window = 0
        var windowClass: String?
        /// The same, as it was seen in the last rehearsal; nil once it was looked at again.
        var window: WindowInfo?
        var barrier: (window: Window, barrier: Barrier)?
        var order: (window: Window, isKept: Bool)?
        var plan: (work: TypingWork, reading: Int, plan: TypingPlan)?
    }

    /// What was seen beforehand, and the answers that say so.
    struct Rehearsal {
        var look = Look()
        var answers = Inquiries.Answers()
    }

    /// By the next text windows may have come and gone; and nobody shall find the old one in memory.
    func forgetLook() {
        look = Look()
        connection.inquiries.forget()
    }

    /// Until the last look before the first key, things are taken to be as they were in the last rehearsal.
    func lookBack() {
        pump(isFlushing: false)
        look = rehearsed.look
        connection.inquiries.assume(rehearsed.answers)
    }

    /// - Throws: ``LookOutdated`` where something is not as it was in the last rehearsal.
    func confirmLook() throws {
        connection.inquiries.ahead(connection.inquiries.doubts)
        try checkLook()
    }

    /// As ``confirmLook()``, where the questions are on their way.
    func checkLook() throws {
        let isConfirmed = connection.inquiries.confirm()
        try connection.checkAlive()
        // From here on the focus may move.
        look.window = nil
        if isConfirmed { return }
        forgetLook()
        throw LookOutdated()
    }

    /// Walks the way to the first key as far as it can be walked without a text.
    func rehearse() throws {
        connection.inquiries.ahead(rehearsed.answers.questions)
        connection.inquiries.learn()
        let window = try focusedWindow()
        if let window {
            _ = try survey("", options: TypingOptions(), window: window)
            _ = keepsOrder(Window(window.id))
        } else {
            try keyboard.refresh()
        }
        let (physical, xtest) = pluggedKeyboards()
        releaseForUser(physical)
        if let xtest {
            _ = devices.pressedKeycodes(on: xtest)
            isRepeatUsual = keyboard.repeats(on: xtest)
        }
        let isTaken = isKeyboardTaken()
        look.window = window
        rehearsed = Rehearsal(look: look, answers: connection.inquiries.takeLearnt())
        // By whoever holds the hotkey down, mostly: until the text comes it is free.
        if isTaken { rehearsed.answers.forget(grabQuestion) }
        forgetLook()
    }

    func toplevel(of inner: Window) -> Window? {
        if look.inner == inner { return look.toplevel }
        guard let toplevel = focus.toplevel(of: inner) else { return nil }
        look.inner = inner
        look.toplevel = toplevel
        return toplevel
    }

    func lookedUpBarrier(of window: Window) -> Barrier {
        if let known = look.barrier, known.window == window { return known.barrier }
        let barrier = barrier(of: window)
        look.barrier = (window, barrier)
        return barrier
    }

    func plan(_ work: TypingWork) -> TypingPlan {
        if let known = look.plan, known.reading == keyboard.reading, known.work == work { return known.plan }
        let plan = work.plan(on: keyboard.map)
        look.plan = (work, keyboard.reading, plan)
        return plan
    }

    /// The user's keyboards and the XTEST one.
    func pluggedKeyboards() -> (physical: [Int32], xtest: Int32?) {
        if let keyboards { return keyboards }
        let found = devices.list()
        keyboards = found
        return found
    }
}
