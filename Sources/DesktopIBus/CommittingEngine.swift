import DictationBus

/// An IBus engine that commits text and lets all keys through. Belongs to one thread.
final class CommittingEngine {
    /// Its name in IBus.
    static let name = "voicedictation"
    private static let path = "/org/freedesktop/IBus/Engine/VoiceDictation"
    private static let interface = "org.freedesktop.IBus.Engine"

    /// The engine as IBus has told it.
    struct State {
        /// Of the focused text field; see `IBusCapabilite` of libibus.
        fileprivate(set) var capabilities: UInt32 = 0
        /// Whether text goes to the field that had the focus at the beginning.
        fileprivate(set) var isUndisturbed = true
        var readBack = ReadBack()

        /// Whether the application shows the text around the caret.
        var tellsSurroundings: Bool { capabilities & 1 << 5 != 0 }
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

    /// From now on ``State/readBack`` is told the text around the caret, where the application can do that.
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
        case "FocusOut", "FocusOutId", "Disable":
            state.isUndisturbed = false
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
        case "GetAll": return { answer throws(BusError) in try answer.options([:]) }
        // Of its properties none is answered: IBus 1.5.27 keeps the answer under a name that it frees with the engine.
        case "Get": return nil
        default: return nothing
        }
    }

    // MARK: - IBusText

    /// ("IBusText", {}, text, ("IBusAttrList", {}, [])), each in a variant.
    private static func writeText(_ text: String, to message: MessageWriter) throws(BusError) {
        try message.container("v", "(sa{sv}sv)") { () throws(BusError) in
            try message.container("r", "sa{sv}sv") { () throws(BusError) in
                try message.string("IBusText")
                try message.options([:])
                try message.string(text)
                try message.container("v", "(sa{sv}av)") { () throws(BusError) in
                    try message.container("r", "sa{sv}av") { () throws(BusError) in
                        try message.string("IBusAttrList")
                        try message.options([:])
                        try message.container("a", "v") {}
                    }
                }
            }
        }
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
