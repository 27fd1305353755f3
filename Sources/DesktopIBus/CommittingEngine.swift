import DictationBus

/// An IBus engine that commits text and lets all keys through. Belongs to one thread.
final class CommittingEngine {
    /// Its name in IBus.
    static let name = "voicedictation"
    private static let path = "/org/freedesktop/IBus/Engine/VoiceDictation"
    private static let interface = "org.freedesktop.IBus.Engine"

    /// The state of the engine, as reported by IBus.
    struct State {
        /// Of the focused text field; see `IBusCapabilite` of libibus.
        fileprivate(set) var capabilities: UInt32 = 0
        /// Whether this engine has the focus: of a text field, or of ``IBusDaemon/fakeContext``.
        fileprivate(set) var hasFocus = false
        /// How often it has got the focus.
        fileprivate(set) var gains = 0
        /// How often it has lost the focus.
        fileprivate(set) var losses = 0
        /// Of the focused text field; see `IBusInputPurpose` of libibus.
        fileprivate var purpose: UInt32 = 0
        var readBack = ReadBack()

        /// Whether the field shows text that is not committed yet.
        var showsPreedit: Bool { capabilities & 1 != 0 }
        /// Whether the application shows the text around the caret.
        var tellsSurroundings: Bool { capabilities & 1 << 5 != 0 }
        /// Whether the field hides its content.
        var isSecret: Bool { [8, 9].contains(purpose) }
    }

    private let daemon: IBusDaemon
    private var objects: [ServedObject] = []
    var state = State()

    /// - Throws: ``BusError``
    init(_ daemon: IBusDaemon) throws(BusError) {
        self.daemon = daemon
        objects.append(
            try daemon.bus.serve(IBusDaemon.Name.factory) { message in
                guard message.member == "CreateEngine" else { return nil }
                return { answer throws(BusError) in try answer.object(Self.path) }
            })
        objects.append(try daemon.bus.serve(Self.path) { [weak self] in self?.handle($0) })
        try daemon.register(engine: Self.name)
    }

    /// Gives text to the focused text field.
    func commit(_ text: String) throws(BusError) {
        try daemon.bus.emit(Self.path, Self.interface, "CommitText") { message throws(BusError) in
            try Self.writeText(text, to: message)
        }
    }

    /// Shows text in the focused text field that is not part of its content; an empty text ends that. When
    /// the field loses the focus, IBus clears it.
    func showPreedit(_ text: String) throws(BusError) {
        let length = UInt32(text.unicodeScalars.count)
        try daemon.bus.emit(Self.path, Self.interface, "UpdatePreeditText") { message throws(BusError) in
            try Self.writeText(text, isUnderlined: true, to: message)
            try message.unsigned(length)
            try message.boolean(length > 0)
            // IBUS_ENGINE_PREEDIT_CLEAR: it is never committed automatically.
            try message.unsigned(0)
        }
    }

    /// From now on ``State/readBack`` gets the text around the caret, if the application supports that.
    func requireSurroundings() throws(BusError) {
        try daemon.bus.emit(Self.path, Self.interface, "RequireSurroundingText")
    }

    // MARK: - Calls of IBus

    private func handle(_ message: MessageReader) -> ServedObject.Answer? {
        let nothing: ServedObject.Answer = { _ in }
        switch message.member {
        case "ProcessKeyEvent":
            // The user's keys go to the application.
            return { answer throws(BusError) in try answer.boolean(false) }
        case "FocusIn", "FocusInId", "Enable":
            state.hasFocus = true
            state.gains += 1
            return nothing
        case "FocusOut", "FocusOutId", "Disable":
            state.hasFocus = false
            state.losses += 1
            return nothing
        case "SetCapabilities":
            state.capabilities = message.unsigned() ?? 0
            return nothing
        case "SetSurroundingText":
            if let text = Self.readText(from: message), let cursor = message.unsigned(),
                let anchor = message.unsigned()
            {
                state.readBack.take(SurroundingText(text, cursor: Int(cursor), anchor: Int(anchor)))
            }
            return nothing
        case "Set":
            if message.string() != nil, message.string() == "ContentType" {
                state.purpose = Self.readPurpose(from: message) ?? 0
            }
            return nothing
        case "GetAll": return { answer throws(BusError) in try answer.options([:]) }
        // Queries of its properties are not answered: IBus 1.5.27 keeps the answer under a name that it frees
        // with the engine.
        case "Get": return nil
        default: return nothing
        }
    }

    // MARK: - IBusText

    /// ("IBusText", {}, text, ("IBusAttrList", {}, [attribute, …])), each in a variant.
    private static func writeText(
        _ text: String, isUnderlined: Bool = false, to message: MessageWriter
    ) throws(BusError) {
        try message.container("v", "(sa{sv}sv)") { () throws(BusError) in
            try message.container("r", "sa{sv}sv") { () throws(BusError) in
                try message.string("IBusText")
                try message.options([:])
                try message.string(text)
                try message.container("v", "(sa{sv}av)") { () throws(BusError) in
                    try message.container("r", "sa{sv}av") { () throws(BusError) in
                        try message.string("IBusAttrList")
                        try message.options([:])
                        try message.container("a", "v") { () throws(BusError) in
                            guard isUnderlined else { return }
                            try writeUnderline(to: UInt32(text.unicodeScalars.count), message)
                        }
                    }
                }
            }
        }
    }

    /// ("IBusAttribute", {}, IBUS_ATTR_TYPE_UNDERLINE, IBUS_ATTR_UNDERLINE_SINGLE, start, end)
    private static func writeUnderline(to end: UInt32, _ message: MessageWriter) throws(BusError) {
        try message.container("v", "(sa{sv}uuuu)") { () throws(BusError) in
            try message.container("r", "sa{sv}uuuu") { () throws(BusError) in
                try message.string("IBusAttribute")
                try message.options([:])
                for number: UInt32 in [1, 1, 0, end] { try message.unsigned(number) }
            }
        }
    }

    /// (purpose, hints), in a variant.
    private static func readPurpose(from message: MessageReader) -> UInt32? {
        let purpose = message.container("v", "(uu)") {
            message.container("r", "uu") { message.unsigned() } ?? nil
        }
        return purpose ?? nil
    }

    private static func readText(from message: MessageReader) -> String? {
        let text = message.container("v", "(sa{sv}sv)") {
            message.container("r", "sa{sv}sv") { () -> String? in
                guard message.string() == "IBusText" else { return nil }
                message.skip("a{sv}")
                return message.string()
            } ?? nil
        }
        return text ?? nil
    }
}
