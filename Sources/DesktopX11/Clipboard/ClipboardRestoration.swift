import CX11
import DictationSystem

/// Finds clipboards that killed typists have not restored.
struct ClipboardRestoration {
    let saved: SavedSelections
    let connection: DisplayConnection
    let clients: ClientProcesses
    /// Ours, which owns selections.
    let window: Window

    /// How long after an application was asked to copy the copied text is taken away again, in seconds. A service is
    /// started again within a second; later, the user may have copied the same text.
    private static let leftCopy: Double = 10

    /// What to hold as a selection now; nil for nothing. If a killed typist still owns it, because the server
    /// has not closed it down yet, a `DestroyNotify` follows, and then call this again.
    func content(of selection: Atom) -> SelectionContent? {
        guard let content = saved.content(of: selection) else { return nil }
        let owner = XGetSelectionOwner(connection.display, selection)
        if owner == 0 || isLeftCopy(on: selection, by: owner) {
            saved.endCopy(over: selection)
            return content
        }
        if clients.isSameProcess(owner, window) { return nil }
        // Before the look: if it is destroyed after that, we are notified.
        XSelectInput(connection.display, owner, StructureNotifyMask)
        if connection.isClipboardOwner(owner) { return nil }
        XSelectInput(connection.display, owner, 0)
        guard XGetSelectionOwner(connection.display, selection) == owner else {
            return self.content(of: selection)
        }
        saved.forget(selection)
        return nil
    }

    /// Another client has taken a selection from us, or has cleared it. We do neither while something is
    /// saved: taking a selection for a paste gives it back to us.
    func noteLoss(of selection: Atom) {
        let owner = XGetSelectionOwner(connection.display, selection)
        guard owner == 0 || !clients.isSameProcess(owner, window), saved.copy(over: selection) == nil
        else { return }
        saved.forget(selection)
    }

    /// Whether the owner has what a killed typist had asked it to copy: the text that is selected there.
    private func isLeftCopy(on selection: Atom, by owner: Window) -> Bool {
        guard let copy = saved.copy(over: selection), BootClock.seconds - Double(copy.start) < Self.leftCopy,
            clients.isSameProcess(owner, copy.window)
        else { return false }
        let reader = SelectionReader(connection: connection, window: window)
        guard let copied = reader.text(selection), let selected = reader.text(Atom(XA_PRIMARY)) else {
            return false
        }
        return copied.utf8.elementsEqual(selected.utf8)
    }
}

extension DisplayConnection {
    private static let mark = "_VOICEDICTATION_CLIPBOARD_OWNER"

    /// A hidden window that owns clipboards: a successor must distinguish it from a program of the user.
    func makeClipboardOwner() -> Window {
        let window = makeHiddenWindow()
        setProperty(Self.mark, of: window, words: [1])
        return window
    }

    func isClipboardOwner(_ window: Window) -> Bool {
        window != 0 && property(Self.mark, of: window) != nil
    }
}
