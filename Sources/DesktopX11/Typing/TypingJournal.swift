import CX11
import Desktop
import DictationSystem

/// The work of a typist, kept in the X server, where it outlives the typist.
///
/// A killed process cannot say how far it got. But the server can: it carries out the requests of one connection in order,
/// even if the client is gone. So the typist sends its notes in the same stream as its keys. Wherever the stream breaks
/// off, the notes match the keys that were carried out. Nothing waits for them, and they wake no process.
///
/// **The notes** are properties of a separate window, the *holder*:
///
/// - *undo*: what to put back: the locked modifiers, the window that is typed into, controls such as auto-repeat,
///   the bound keys.
/// - *text*: which text is typed.
/// - *pastes*: windows that were to fetch a text from the clipboard, and until when they may wait for it.
/// - *given*: the text was given to an application that may ask for it again, and drop it if nobody answers.
/// - *progress*: three numbers, `count`, `next` and `then`: `count` Unicode scalars of the text are typed,
///   and if the key `next` of the XTEST keyboard is down, it is `then`. Each scalar is one key; a character
///   may be several.
///
/// For each key: press, note `count`, release. The stream may break off between the press and its note;
/// therefore each note also names the key that is pressed next. It is up when it is named, so if it is down
/// afterward, its press was carried out. (If the next key is the one that is down at this moment, it is named
/// by a separate note after the release.) A key counts exactly if its press was carried out, at whichever
/// byte the stream ends.
///
/// **When the notes are final.** The socket of a dead client may still hold requests that the server has not read. It
/// reads them until the end of the stream (or drops them all from some point on), and then closes the client down:
/// then only it destroys the client's windows. Therefore each typist has another window, the *witness*, made by the
/// connection that sends the keys. While the witness is there, the server may still type; once it is destroyed, no key
/// of that connection follows, and notes and keys are as they will stay. The successor waits for that event.
///
/// The holder must not go the same way. It is created by a separate connection with the close-down mode
/// `RetainPermanent`, and destroyed by XKillClient: by the typist that ends in an orderly way, or by the successor. A
/// property of the root window lists holders and witnesses. An identifier of a window may be used again once its client
/// is gone, and usually is. So a witness also carries a random number, which the list has too.
final class TypingJournal {
    /// A longer list must be corrupt.
    private static let listLimit = 256

    private enum Name {
        static let list = "_VOICEDICTATION_TYPISTS"
        static let owner = "_VOICEDICTATION_OWNER"
        static let number = "_VOICEDICTATION_NUMBER"
        static let undo = "_VOICEDICTATION_UNDO"
        static let text = "_VOICEDICTATION_TEXT"
        static let progress = "_VOICEDICTATION_PROGRESS"
        static let pastes = "_VOICEDICTATION_PASTES"
        static let given = "_VOICEDICTATION_GIVEN"
    }

    private let connection: DisplayConnection
    private let owner: String
    private var holder: Window
    let witness: Window
    private let number: UInt

    /// Makes holder and witness, and enters them into the list.
    init(connection: DisplayConnection, owner: String) throws(DesktopError) {
        self.connection = connection
        self.owner = owner
        witness = connection.makeHiddenWindow()
        number = UInt(UInt32.random(in: .min ... .max))
        connection.setProperty(Name.number, of: witness, words: [number])
        connection.sync()
        holder = try Self.makeHolder(on: connection.name, owner: owner, witness: witness, number: number)
    }

    private static func makeHolder(
        on display: String, owner: String, witness: Window, number: UInt
    ) throws(DesktopError) -> Window {
        let retained = try DisplayConnection(name: display)
        let holder = retained.makeHiddenWindow()
        retained.setProperty(Name.owner, of: holder, text: owner)
        // A typist that was killed while it forgot its holder has left it in the list, and its identifier is used again.
        if typists(on: retained).contains(where: { $0.holder == holder }) {
            removeFromList(holder, on: retained)
        }
        retained.appendProperty(Name.list, of: retained.root, words: [holder, witness, number])
        XSetCloseDownMode(retained.display, RetainPermanent)
        retained.sync()
        try retained.checkAlive()
        return holder
    }

    /// Leaves the present notes in the server until the changes that they describe can be undone, and
    /// continues with a new holder. If this process ends first, its successor finds them.
    func setAside() throws(DesktopError) -> LeftOver {
        let aside = LeftOver(
            undo: undo(of: holder), text: connection.textProperty(Name.text, of: holder),
            progress: progress(of: holder), holder: holder, isOwn: true)
        holder = try Self.makeHolder(on: connection.name, owner: owner, witness: witness, number: number)
        return aside
    }

    /// Only this is left to undo of what a predecessor has changed.
    func replaceUndo(of leftOver: inout LeftOver, with undo: Undo) {
        leftOver.undo = undo
        note(undo, on: leftOver.holder)
    }

    /// The text of these notes is typed again, so their count is void.
    func forgetText(of leftOver: inout LeftOver) {
        leftOver.text = nil
        for name in [Name.text, Name.progress, Name.given] {
            connection.deleteProperty(name, of: leftOver.holder)
        }
    }

    /// For a normal end: leaves nothing in the server.
    func close() { forget(holder) }

    // MARK: Notes

    func note(_ undo: Undo) { note(undo, on: holder) }

    private func note(_ undo: Undo, on holder: Window) {
        connection.setProperty(Name.undo, of: holder, words: undo.words)
    }

    /// An earlier progress belongs to another text, so it is deleted first.
    func noteText(_ text: String) {
        connection.deleteProperty(Name.progress, of: holder)
        connection.setProperty(Name.text, of: holder, text: text)
    }

    func note(_ progress: Progress) { note(progress, on: holder) }

    private func note(_ progress: Progress, on holder: Window) {
        connection.setPropertyAmongKeys(Name.progress, of: holder, words: progress.words)
    }

    func note(_ pastes: [Paste]) {
        if pastes.isEmpty {
            connection.deleteProperty(Name.pastes, of: holder)
        } else {
            connection.setProperty(Name.pastes, of: holder, words: pastes.flatMap { [$0.window, $0.end] })
        }
    }

    /// The text of these notes was given to an application that may ask for it again.
    func noteGiven() { connection.setPropertyAmongKeys(Name.given, of: holder, words: [1]) }

    func clear() {
        for name in [Name.progress, Name.given, Name.text, Name.undo] {
            connection.deleteProperty(name, of: holder)
        }
    }

    // MARK: Predecessors

    /// The notes of dead typists, which can send no more keys. Living typists of other owners are not touched.
    func leftOvers() throws -> [LeftOver] {
        var found: [LeftOver] = []
        for typist in Self.typists(on: connection) where typist.holder != holder {
            guard let owner = connection.textProperty(Name.owner, of: typist.holder) else {
                // Destroyed but still listed: its typist was about to remove it.
                Self.removeFromList(typist.holder, on: connection)
                continue
            }
            let isOwn = owner == self.owner
            guard try isClosedDown(typist, isDead: isOwn) else { continue }
            let holder = typist.holder
            found.append(
                LeftOver(
                    undo: undo(of: holder), text: connection.textProperty(Name.text, of: holder),
                    progress: progress(of: holder), pastes: pastes(of: holder),
                    isGiven: words(Name.given, of: holder) != nil, holder: holder, isOwn: isOwn))
        }
        return found
    }

    /// Records how much a predecessor has typed. Must be called before anything is undone, because after that
    /// it is unknown which keys were down.
    func fix(_ count: Int, of leftOver: LeftOver) { note(Progress(count: count), on: leftOver.holder) }

    /// Call it when the changes of a predecessor are undone. Its progress stays noted until ``forget(_:)``,
    /// because this process may be killed before the owner has stored it.
    func settle(_ leftOver: LeftOver) {
        if leftOver.isOwn, leftOver.text == nil {
            forget(leftOver.holder)
        } else {
            connection.deleteProperty(Name.undo, of: leftOver.holder)
        }
    }

    /// Call it when the owner has stored how far a predecessor got.
    func forget(_ leftOver: LeftOver) { forget(leftOver.holder) }

    private func undo(of holder: Window) -> Undo? {
        words(Name.undo, of: holder).flatMap { Undo(words: $0) }
    }

    private func progress(of holder: Window) -> Progress? {
        words(Name.progress, of: holder).flatMap { Progress(words: $0) }
    }

    private func pastes(of holder: Window) -> [Paste] {
        let words = words(Name.pastes, of: holder) ?? []
        return stride(from: 0, to: words.count - 1, by: 2).map {
            Paste(window: words[$0], end: words[$0 + 1])
        }
    }

    private func words(_ name: String, of holder: Window) -> [UInt]? {
        guard case .words(let words)? = connection.property(name, of: holder) else { return nil }
        return words
    }

    private struct Listed {
        let holder: Window
        let witness: Window
        let number: UInt
    }

    /// - Parameter isDead: whether its process has ended, so that waiting makes sense.
    private func isClosedDown(_ typist: Listed, isDead: Bool) throws -> Bool {
        // Before the first look: if the window is destroyed after that, we are notified.
        XSelectInput(connection.display, typist.witness, StructureNotifyMask)
        defer { XSelectInput(connection.display, typist.witness, 0) }
        let deadline = ContinuousClock.now + TypingLimits.closeDown
        while case .words([typist.number])? = connection.property(Name.number, of: typist.witness) {
            try connection.checkAlive()
            if !isDead || deadline <= .now { return false }
            try connection.waitForInput(until: deadline)
            // The loop looks again, for any event.
            while connection.nextEvent() != nil {}
        }
        try connection.checkAlive()
        return true
    }

    private static func typists(on connection: DisplayConnection) -> [Listed] {
        guard
            case .words(let words)? = connection.property(
                Name.list, of: connection.root, limit: 3 * listLimit)
        else { return [] }
        return stride(from: 0, to: words.count - 2, by: 3).map {
            Listed(holder: words[$0], witness: words[$0 + 1], number: words[$0 + 2])
        }
    }

    private func forget(_ holder: Window) {
        // Nothing but the holder belongs to the client that made it.
        XKillClient(connection.display, holder)
        Self.removeFromList(holder, on: connection)
    }

    private static func removeFromList(_ holder: Window, on connection: DisplayConnection) {
        // Another typist may add itself at this moment.
        connection.grabServer()
        let rest = typists(on: connection).filter { $0.holder != holder }
        if rest.isEmpty {
            connection.deleteProperty(Name.list, of: connection.root)
        } else {
            connection.setProperty(
                Name.list, of: connection.root, words: rest.flatMap { [$0.holder, $0.witness, $0.number] })
        }
        connection.ungrabServer()
    }
}
