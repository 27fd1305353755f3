import CX11

extension DisplayConnection {
    /// EDITRES_NAME and CURRENT_PROTOCOL_VERSION of Xmu/EditresP.h.
    private static let editres = (name: "Editres", version: 5)

    func sendPing(to window: Window, number: UInt32) {
        sendMessage(to: window, "WM_PROTOCOLS", Int(atom("_NET_WM_PING")), Int(number), Int(window))
    }

    /// - Parameter selection: whose owner the application asks.
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

/// Numbers the pings of one typist, and tells whether the last question was answered.
struct Pings {
    /// Windows answer those of the window manager as well, in the same place: it numbers them by the time.
    private var last = UInt32.random(in: 1...(UInt32.max / 2))
    /// The first ping of the last question. An application that answers it, or a repetition, has read everything sent
    /// before.
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
