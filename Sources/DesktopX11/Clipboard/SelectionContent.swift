import CX11

/// The content of a clipboard: the same thing in several formats.
struct SelectionContent: Equatable, Sendable {
    /// The data of a property: items of 8, 16 or 32 bits; those of 32 bits are C longs in memory, as in Xlib.
    struct Data: Equatable, Sendable {
        let type: Atom
        let format: Int32
        let bytes: [UInt8]

        var itemCount: Int { bytes.count / Self.size(ofItem: format) }

        static func size(ofItem format: Int32) -> Int {
            format == 32 ? MemoryLayout<CLong>.size : Int(format) / 8
        }
    }

    /// By the atom of the format ("target"), in the order in which the owner named them.
    var formats: [(target: Atom, data: Data)] = []

    static func == (left: SelectionContent, right: SelectionContent) -> Bool {
        left.formats.map(\.target) == right.formats.map(\.target)
            && left.formats.map(\.data) == right.formats.map(\.data)
    }

    var isEmpty: Bool { formats.isEmpty }

    /// Whether a format is the thing itself, not a hint about it.
    func isText(_ target: Atom) -> Bool { formats.contains { $0.target == target } && target != hint }

    /// See ``markAsPassing(_:)``.
    private var hint: Atom?

    func data(for target: Atom) -> Data? { formats.first { $0.target == target }?.data }

    /// Text in the formats that applications ask for.
    init(text: String, connection: DisplayConnection) {
        let bytes = Array(text.utf8)
        let utf8 = connection.atom("UTF8_STRING")
        for name in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"] {
            let target = connection.atom(name)
            formats.append((target, Data(type: target, format: 8, bytes: bytes)))
        }
        // TEXT leaves the choice of the encoding to the owner (ICCCM 2.6.2).
        formats.append((connection.atom("TEXT"), Data(type: utf8, format: 8, bytes: bytes)))
        // STRING is Latin-1: only if that loses nothing.
        let latin1 = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        if latin1.count == text.unicodeScalars.count {
            formats.append((Atom(XA_STRING), Data(type: Atom(XA_STRING), format: 8, bytes: latin1)))
        }
    }

    init() {}

    /// Tells clipboard managers to keep it out of their history: it is a dictation, and it is there only for a
    /// moment. (Klipper and similar programs check this; others do not know it.)
    mutating func markAsPassing(_ connection: DisplayConnection) {
        let hint = connection.atom(Self.hint)
        self.hint = hint
        formats.append((hint, Data(type: Atom(XA_STRING), format: 8, bytes: Array(Self.secret.utf8))))
    }

    /// Whether a password manager has marked it as secret.
    func isSecret(_ connection: DisplayConnection) -> Bool {
        data(for: connection.atom(Self.hint))?.bytes == Array(Self.secret.utf8)
    }

    private static let hint = "x-kde-passwordManagerHint"
    private static let secret = "secret"
}

/// Fetches what another client has on a clipboard, every format of it.
struct SelectionReader {
    enum Failure: Error, Equatable {
        /// The owner did not answer, or it would be too much.
        case unreadable
    }

    /// More is not saved: the user would wait for it to be fetched.
    static let sizeLimit = 64 << 20
    /// For all formats together.
    static let timeLimit: Duration = .seconds(2)

    let connection: DisplayConnection
    /// Our receiving window.
    let window: Window
    /// Receives the events that are not about the selection: other work of the connection may need them.
    var others: (XEvent) -> Void = { _ in }
    private static let property = "_VOICEDICTATION_SELECTION"
    /// Targets that are questions or orders, not formats (ICCCM 2.6.2 and 2.6.3).
    private static let notFormats: Set<String> = [
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
    ]

    /// - Returns: nil if no client owns the selection.
    /// - Throws: ``Failure`` if it cannot be read completely.
    func read(_ selection: Atom) throws -> SelectionContent? {
        guard XGetSelectionOwner(connection.display, selection) != 0 else { return nil }
        let deadline = ContinuousClock.now + Self.timeLimit
        let unwanted = Set(Self.notFormats.map(connection.atom))
        XSelectInput(connection.display, window, PropertyChangeMask)
        defer { XSelectInput(connection.display, window, 0) }
        guard let list = try fetch(connection.atom("TARGETS"), of: selection, deadline) else {
            throw Failure.unreadable
        }
        let targets = list.bytes.withUnsafeBytes { bytes in
            list.format == 32 ? bytes.bindMemory(to: CLong.self).map { Atom(bitPattern: $0) } : []
        }
        var content = SelectionContent()
        var size = 0
        for target in targets where !unwanted.contains(target) && content.data(for: target) == nil {
            // Some owners list a format that they then cannot give.
            guard let data = try fetch(target, of: selection, deadline) else { continue }
            size += data.bytes.count
            if size > Self.sizeLimit { throw Failure.unreadable }
            content.formats.append((target, data))
        }
        return content
    }

    /// One format of it.
    ///
    /// - Returns: nil if no client owns the selection, or the owner refuses this format.
    /// - Throws: ``Failure`` if it cannot be read completely.
    func data(of selection: Atom, as target: Atom, _ limit: Int) throws -> SelectionContent.Data? {
        guard XGetSelectionOwner(connection.display, selection) != 0 else { return nil }
        XSelectInput(connection.display, window, PropertyChangeMask)
        defer { XSelectInput(connection.display, window, 0) }
        return try fetch(target, of: selection, .now + Self.timeLimit, limit: limit)
    }

    /// - Returns: nil if the owner refuses this format.
    private func fetch(
        _ target: Atom, of selection: Atom, _ deadline: ContinuousClock.Instant, limit: Int = Self.sizeLimit
    ) throws -> SelectionContent.Data? {
        let property = connection.atom(Self.property)
        XDeleteProperty(connection.display, window, property)
        XConvertSelection(connection.display, selection, target, property, window, Time(CurrentTime))
        connection.flush()
        let answer = try wait(until: deadline) { event in
            event.type == SelectionNotify && event.xselection.target == target
        }
        guard answer.xselection.property != 0 else { return nil }
        guard let first = connection.data(of: property, of: window, deleting: true) else { return nil }
        if first.type != connection.atom("INCR") {
            if first.bytes.count > limit { throw Failure.unreadable }
            return first
        }
        // Large data comes in pieces (ICCCM 2.7.2), each after the previous one was removed; an empty one
        // ends it.
        var whole: [UInt8] = []
        var last = first
        while true {
            connection.flush()
            _ = try wait(until: deadline) { event in
                event.type == PropertyNotify && event.xproperty.atom == property
                    && event.xproperty.state == PropertyNewValue
            }
            guard let piece = connection.data(of: property, of: window, deleting: true) else { continue }
            if piece.bytes.isEmpty {
                return SelectionContent.Data(type: last.type, format: last.format, bytes: whole)
            }
            whole += piece.bytes
            last = piece
            if whole.count > limit { throw Failure.unreadable }
        }
    }

    private func wait(
        until deadline: ContinuousClock.Instant, for matches: (XEvent) -> Bool
    ) throws -> XEvent {
        while true {
            while let event = connection.nextEvent() {
                if matches(event) { return event }
                others(event)
            }
            try connection.checkAlive()
            if deadline <= .now { throw Failure.unreadable }
            try connection.waitForInput(until: deadline)
        }
    }
}

/// Answers requests for a selection.
final class SelectionGiver {
    private let connection: DisplayConnection
    /// Transfers in pieces that are under way.
    private var transfers: [Transfer] = []

    private struct Transfer {
        let requestor: Window
        let property: Atom
        let data: SelectionContent.Data
        var sent = 0
    }

    init(connection: DisplayConnection) { self.connection = connection }

    /// Bytes of one property; well below what every server takes in one request (256 KiB).
    private static let pieceSize = 64 << 10

    var isBusy: Bool { !transfers.isEmpty }

    /// Answers one request.
    ///
    /// - Parameter afterNotice: called when the data and its notification are written; sent together with
    ///   what it writes.
    /// - Returns: the format that was given; nil if it was refused, or was a question.
    @discardableResult
    func answer(
        _ request: XSelectionRequestEvent, with content: SelectionContent?, afterNotice: () -> Void = {}
    ) -> Atom? {
        // Old clients leave the property open (ICCCM 2.2).
        let property = request.property == 0 ? request.target : request.property
        var given: Atom?
        var isDone = true
        if let content, request.target == connection.atom("TARGETS") {
            let targets = [request.target] + content.formats.map(\.target)
            connection.setProperty(property, of: request.requestor, type: Atom(XA_ATOM), words: targets)
        } else if let data = content?.data(for: request.target) {
            give(data, as: property, to: request.requestor)
            given = request.target
        } else {
            isDone = false
        }
        connection.tell(
            request.requestor, of: request.target, on: request.selection, in: isDone ? property : 0,
            asked: request.time)
        if given != nil { afterNotice() }
        connection.flush()
        return given
    }

    private func give(_ data: SelectionContent.Data, as property: Atom, to requestor: Window) {
        if data.bytes.count <= Self.pieceSize {
            connection.setProperty(property, of: requestor, data)
            return
        }
        XSelectInput(connection.display, requestor, PropertyChangeMask)
        connection.setProperty(
            property, of: requestor, type: connection.atom("INCR"), words: [UInt(data.bytes.count)])
        transfers.removeAll { $0.requestor == requestor && $0.property == property }
        transfers.append(Transfer(requestor: requestor, property: property, data: data))
    }

    /// Sends the next piece when the previous one was taken.
    func handle(_ event: XPropertyEvent) {
        guard event.state == PropertyDelete,
            let index = transfers.firstIndex(where: {
                $0.requestor == event.window && $0.property == event.atom
            })
        else { return }
        let transfer = transfers[index]
        // A multiple of every item's size.
        let end = min(transfer.sent + Self.pieceSize, transfer.data.bytes.count)
        let piece = SelectionContent.Data(
            type: transfer.data.type, format: transfer.data.format,
            bytes: Array(transfer.data.bytes[transfer.sent..<end]))
        connection.setProperty(transfer.property, of: transfer.requestor, piece)
        if piece.bytes.isEmpty {
            transfers.remove(at: index)
            XSelectInput(connection.display, transfer.requestor, 0)
        } else {
            transfers[index].sent = end
        }
        connection.flush()
    }
}

extension DisplayConnection {
    /// - Parameter deleting: notifies the owner of a selection that the data has arrived.
    /// - Returns: nil if there is no such property.
    func data(of property: Atom, of window: Window, deleting: Bool = false) -> SelectionContent.Data? {
        var type: Atom = 0
        var format: Int32 = 0
        var count: UInt = 0
        var rest: UInt = 0
        var data: UnsafeMutablePointer<UInt8>?
        let status = XGetWindowProperty(
            display, window, property, 0, SelectionReader.sizeLimit / 4, deleting ? 1 : 0,
            Atom(AnyPropertyType), &type, &format, &count, &rest, &data)
        defer { if let data { XFree(data) } }
        guard status == Success, type != 0, format != 0, let data else { return nil }
        let size = Int(count) * SelectionContent.Data.size(ofItem: format)
        return SelectionContent.Data(
            type: type, format: format, bytes: Array(UnsafeBufferPointer(start: data, count: size)))
    }

    func setProperty(_ property: Atom, of window: Window, _ data: SelectionContent.Data) {
        XChangeProperty(
            display, window, property, data.type, data.format, PropModeReplace, data.bytes,
            Int32(data.itemCount))
    }

    func setProperty(_ property: Atom, of window: Window, type: Atom, words: [UInt]) {
        words.withUnsafeBytes { bytes in
            _ = XChangeProperty(
                display, window, property, type, 32, PropModeReplace,
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(words.count))
        }
    }
}
