import CX11

/// A text that is on the clipboard for a moment, and which programs have fetched it.
final class PassingText {
    /// Ours, which owns the selections.
    private let window: Window
    /// A window of the application that is meant.
    private let target: Window
    private let content: SelectionContent
    private let giver: SelectionGiver
    private let connection: DisplayConnection
    private let clients: ClientProcesses
    private let willGive: () -> Void
    private let whenGiven: () -> Void
    /// Where the application was given the text.
    private var given: (window: Window, property: Atom)?
    /// The time of the application's last request.
    private(set) var lastRequest: ContinuousClock.Instant?
    /// Whether another program got it, such as a clipboard manager.
    private(set) var isGivenToOthers = false
    /// Whether the application has fetched all of it.
    private(set) var isTaken = false
    var isGiven: Bool { given != nil }
    /// Whether another program has copied something since.
    private(set) var isOver = false
    /// Whether that was before the application asked: it may get that instead of the text.
    private(set) var isReplaced = false

    /// - Parameters:
    ///   - willGive: called before the application gets the text.
    ///   - whenGiven: called when the application is notified that it has the text; its requests are sent
    ///     together with that message.
    init(
        _ text: String, from window: Window, to target: Window, on connection: DisplayConnection,
        clients: ClientProcesses, willGive: @escaping () -> Void, whenGiven: @escaping () -> Void
    ) {
        self.window = window
        self.target = target
        self.connection = connection
        self.clients = clients
        self.willGive = willGive
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
        case SelectionClear where event.xselectionclear.window == window:
            isOver = true
            isReplaced = !isGiven
        case PropertyNotify:
            giver.handle(event.xproperty)
            // It deletes the property once it has the text.
            if event.xproperty.state == PropertyDelete, event.xproperty.window == given?.window,
                event.xproperty.atom == given?.property, !giver.isBusy
            {
                isTaken = true
            }
        // While another question of its own is unanswered (its owner was killed, or hangs), GTK asks from a new window, and
        // deletes the answer together with that window.
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
        if isMeant && isText { willGive() }
        let format = giver.answer(request, with: content) { if isMeant && isText { whenGiven() } }
        guard format != nil, isText else { return }
        if isMeant {
            given = (request.requestor, request.property == 0 ? request.target : request.property)
        } else {
            isGivenToOthers = true
        }
    }
}
