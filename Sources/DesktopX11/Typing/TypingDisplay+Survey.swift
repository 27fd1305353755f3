import CX11
import Desktop

extension TypingDisplay {
    func survey(_ text: String, options: TypingOptions, window: WindowInfo) throws -> TypingSurvey {
        pump()
        try keyboard.refresh()
        let plan = TypingWork.text(text, options).plan(on: keyboard.map)
        let survey = TypingSurvey(
            characterCount: plan.characterCount,
            mapChanges: plan.segments.count { !$0.bindings.isEmpty },
            untypable: plan.dropped.count { character in
                !character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
            },
            tellsReading: barrier(of: Window(window.id)).isSure,
            hasInputMethod: InputMethod(connection: connection).isBetween(window))
        try connection.checkAlive()
        return survey
    }

    /// Gives a window the focus, as a taskbar does, and waits until it has it.
    ///
    /// - Returns: whether it has it.
    func activate(_ window: WindowInfo, within limit: Duration) throws -> Bool {
        let id = Window(window.id)
        guard focus.exists(id) else { return false }
        XSelectInput(connection.display, id, FocusChangeMask | StructureNotifyMask)
        defer { XSelectInput(connection.display, id, 0) }
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = id
        event.xclient.message_type = connection.atom("_NET_ACTIVE_WINDOW")
        event.xclient.format = 32
        // 2: by the user's wish, so that no window manager only lets it blink.
        event.xclient.data.l.0 = 2
        XSendEvent(
            connection.display, connection.root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
        let deadline = ContinuousClock.now + limit
        while focus.focusedToplevel() != id {
            try connection.checkAlive()
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return false }
            // A window that contains the one with the focus is told as well (FocusIn, NotifyVirtual).
            var isNews = false
            while connection.nextEvent() != nil { isNews = true }
            if !isNews { try connection.waitForInput(atMost: left) }
        }
        return true
    }
}
