import CX11

/// Answers for an owner of the clipboard that was killed.
///
/// The server passes a request on to the owner and keeps no record of it. If the owner dies before it answers,
/// nobody does. Most applications give up after some seconds, but a page of Chromium (156) waits forever, and
/// so does every key that comes after it, the user's too. So the next typist refuses in place of the dead
/// one: the page continues, and the keys arrive.
struct AbandonedRequests {
    let connection: DisplayConnection
    let clients: ClientProcesses

    /// Refuses everything that an application may have asked a dead owner for. One that waits for nothing ignores this.
    ///
    /// - Parameter window: one of the application's.
    func refuse(_ window: Window) {
        let selection = connection.atom("CLIPBOARD")
        let formats = SelectionContent(text: "", connection: connection).formats.map(\.target)
        // It is unknown which of its windows has asked: Chromium has one for this, which is never shown.
        for requestor in clients.windows(besides: window, among: topWindows()) {
            for target in [connection.atom("TARGETS")] + formats {
                connection.tell(requestor, of: target, on: selection, in: 0)
            }
        }
        connection.sync()
    }

    private func topWindows() -> [Window] {
        var (root, parent): (Window, Window) = (0, 0)
        var windows: UnsafeMutablePointer<Window>?
        var count: UInt32 = 0
        guard
            XQueryTree(connection.display, connection.root, &root, &parent, &windows, &count) != 0,
            let windows
        else { return [] }
        defer { XFree(windows) }
        return Array(UnsafeBufferPointer(start: windows, count: Int(count)))
    }
}

extension DisplayConnection {
    /// Answers a request for a selection.
    ///
    /// - Parameter property: where the answer is; 0 refuses it.
    func tell(
        _ requestor: Window, of target: Atom, on selection: Atom, in property: Atom,
        asked time: Time = Time(CurrentTime)
    ) {
        var answer = XEvent()
        answer.xselection.type = SelectionNotify
        answer.xselection.requestor = requestor
        answer.xselection.selection = selection
        answer.xselection.target = target
        answer.xselection.time = time
        answer.xselection.property = property
        XSendEvent(display, requestor, 0, 0, &answer)
    }
}
