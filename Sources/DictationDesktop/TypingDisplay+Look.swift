import CX11

/// What is asked of the server between the word that a text is ready and its first key: the answers hold for the moment
/// that lies between, and the questions are mostly those of the last time, so that they can be asked ahead.
extension TypingDisplay {
    struct Look {
        /// The window with the focus, and the application window that holds it.
        var inner: Window = 0
        var toplevel: Window = 0
        var windowClass: String?
        var barrier: (window: Window, barrier: Barrier)?
        var plan: (work: TypingWork, reading: Int, plan: TypingPlan)?
    }

    /// By the next text windows may have come and gone; and nobody shall find the old one in memory.
    func forgetLook() {
        look = Look()
        connection.inquiries.forget()
    }

    /// Asks all at once what will be asked on the way to the first key, and waits for nothing: the server answers while
    /// the text is claimed.
    func lookAhead() {
        connection.inquiries.forget()
        let ofOurs = pluggedKeyboards().xtest.map { [devices.keysQuestion($0), keyboard.repeatQuestion($0)] }
        connection.inquiries.ahead(route + [grabQuestion] + (ofOurs ?? []))
    }

    /// Walks the way to the first key as far as it can be walked without a text, so that the next time its questions are
    /// known.
    func rehearse() throws {
        connection.inquiries.ahead(route)
        if let window = try focusedWindow() {
            _ = try survey("", options: TypingOptions(), window: window)
        } else {
            try keyboard.refresh()
        }
        keepRoute()
        forgetLook()
    }

    /// What was asked since the look at the focus is what will be asked again.
    func keepRoute() { if let learnt = connection.inquiries.takeLearnt() { route = learnt } }

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
