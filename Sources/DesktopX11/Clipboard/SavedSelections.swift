import CX11
import DictationSystem

/// What belongs on the clipboards, kept in the X server: the content of a clipboard is gone with the process that holds it,
/// and the next typist finds it here.
///
/// Each format of a content is a property of a window, as a program that pastes gets it. The client that made the window is
/// gone (`RetainPermanent`), so the window stays until the server ends.
struct SavedSelections {
    /// A window was asked to copy what is selected there, over the saved content.
    struct Copy {
        /// A window of the application.
        let window: Window
        /// When, in seconds of ``BootClock``.
        let start: UInt
    }

    private enum Name {
        /// On a window with saved content: the selection. With the selection's name appended, on the root
        /// window: that window.
        static let window = "_VOICEDICTATION_SAVED"
        /// The formats. It is written last, so a content is complete or missing.
        static let formats = "_VOICEDICTATION_FORMATS"
        static let copy = "_VOICEDICTATION_COPY"
    }

    /// In bytes, all formats together. More would delay each paste; and a property must fit into one request (16 MiB).
    static let sizeLimit = 15 << 20
    /// A longer list must be corrupt.
    private static let formatLimit = 1_024

    private let connection: DisplayConnection

    init(connection: DisplayConnection) { self.connection = connection }

    /// The selections that a typist may take: CLIPBOARD and PRIMARY.
    var selections: [Atom] { [connection.atom("CLIPBOARD"), Atom(XA_PRIMARY)] }

    var isEmpty: Bool { selections.allSatisfy { formats(of: $0) == nil } }

    // MARK: Writing

    /// Saves a content before its selection is taken. What a typist has put back, or is about to, is saved, and is not
    /// written again.
    func saveBeforeTaking(_ content: SelectionContent?, of selection: Atom) {
        let owner = XGetSelectionOwner(connection.display, selection)
        if owner == 0 || connection.isClipboardOwner(owner), formats(of: selection) != nil { return }
        save(content, of: selection)
    }

    /// What a password manager has marked as a secret is not saved.
    func save(_ content: SelectionContent?, of selection: Atom) {
        forget(selection)
        guard let content, !content.isEmpty, !content.isSecret(connection),
            content.formats.reduce(0, { $0 + $1.data.bytes.count }) <= Self.sizeLimit,
            let holder = window(of: selection) ?? makeWindow(of: selection)
        else { return }
        for format in content.formats { connection.setProperty(format.target, of: holder, format.data) }
        connection.setProperty(Name.formats, of: holder, words: content.formats.map(\.target))
        connection.flush()
    }

    /// An application is asked to copy over the saved content.
    ///
    /// - Parameter window: one of the application's.
    func beginCopy(over selection: Atom, in window: Window) {
        guard let holder = self.window(of: selection) else { return }
        connection.setProperty(Name.copy, of: holder, words: [window, UInt(BootClock.seconds)])
        connection.flush()
    }

    /// No window is asked to copy any more.
    func endCopy(over selection: Atom) {
        guard let holder = window(of: selection) else { return }
        connection.deleteProperty(Name.copy, of: holder)
        connection.flush()
    }

    /// Another program has copied something, or there is nothing to put back.
    func forget(_ selection: Atom) {
        guard let holder = window(of: selection) else { return }
        connection.deleteProperty(Name.formats, of: holder)
        var count: Int32 = 0
        let properties = XListProperties(connection.display, holder, &count)
        defer { if let properties { XFree(properties) } }
        let mark = connection.atom(Name.window)
        for property in UnsafeBufferPointer(start: properties, count: Int(count)) where property != mark {
            XDeleteProperty(connection.display, holder, property)
        }
        connection.flush()
    }

    // MARK: Reading

    /// - Returns: nil if there is nothing to restore.
    func content(of selection: Atom) -> SelectionContent? {
        guard let holder = window(of: selection), let formats = formats(of: selection) else { return nil }
        var content = SelectionContent()
        for format in formats {
            guard let data = connection.data(of: format, of: holder) else { continue }
            content.formats.append((format, data))
        }
        return content
    }

    /// - Returns: nil when no application is asked to copy.
    func copy(over selection: Atom) -> Copy? {
        guard let holder = window(of: selection),
            case .words(let words)? = connection.property(Name.copy, of: holder), words.count == 2
        else { return nil }
        return Copy(window: words[0], start: words[1])
    }

    private func formats(of selection: Atom) -> [Atom]? {
        guard let holder = window(of: selection),
            case .words(let formats)? = connection.property(
                Name.formats, of: holder, limit: Self.formatLimit)
        else { return nil }
        return formats
    }

    // MARK: The window

    private func name(of selection: Atom) -> String {
        Name.window + (selection == Atom(XA_PRIMARY) ? "_PRIMARY" : "_CLIPBOARD")
    }

    private func window(of selection: Atom) -> Window? {
        guard case .words(let words)? = connection.property(name(of: selection), of: connection.root),
            let window = words.first,
            case .words([selection])? = connection.property(Name.window, of: window)
        else { return nil }
        return window
    }

    private func makeWindow(of selection: Atom) -> Window? {
        guard let retained = try? DisplayConnection(name: connection.name) else { return nil }
        let window = retained.makeHiddenWindow()
        retained.setProperty(Name.window, of: window, words: [selection])
        retained.setProperty(name(of: selection), of: retained.root, words: [window])
        XSetCloseDownMode(retained.display, RetainPermanent)
        retained.sync()
        return retained.isLost ? nil : window
    }
}
