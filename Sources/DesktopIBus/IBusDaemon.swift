import DictationBus

/// A connection to the IBus daemon. Belongs to one thread.
final class IBusDaemon {
    let bus: Bus
    /// Another daemon has another address.
    let address: String

    /// The names on its bus.
    enum Name {
        static let service = "org.freedesktop.IBus"
        static let path = "/org/freedesktop/IBus"
        static let component = "org.freedesktop.IBus.VoiceDictation"
        static let factory = "/org/freedesktop/IBus/Factory"
    }

    /// How long it may take to accept a connection: a program waits for it at its start.
    private static let startLimit: Duration = .seconds(5)
    /// How long it may take to forget our engine. If that comes after the user's engine is set, the user has
    /// none: nothing is lost by waiting, also on a busy machine.
    private static let forgettingLimit: Duration = .seconds(10)
    /// How long a change of the engine may take. IBus starts the program of an engine that does not run yet.
    private static let engineLimit: Duration = .seconds(5)

    /// - Throws: ``BusError`` if none answers.
    init(_ environment: [String: String]) throws(BusError) {
        guard let address = IBusAddress.current(environment) else {
            throw BusError(operation: "find IBus", name: "", reason: "no daemon was started in this session")
        }
        self.address = address
        bus = try Bus(.address(address))
        try bus.process(until: .now + Self.startLimit) { [bus] in !bus.isReady }
        guard bus.isReady else {
            throw BusError(operation: "connect to IBus", name: "", reason: "the daemon does not answer")
        }
    }

    /// The name of the engine that all applications use; nil if there is none.
    func globalEngine() throws(BusError) -> String? {
        // It reports "none" as an error.
        guard let answer = try property("GlobalEngine") else { return nil }
        return Self.nameOfEngine(in: answer)
    }

    /// The object of the text field that has the focus. If none has, it is ``fakeContext``.
    func focusedContext() throws(BusError) -> String? {
        try property("CurrentInputContext").flatMap { answer in Self.string(in: answer) }
    }

    /// The context that IBus itself focuses while no text field is. It is the first one that the daemon makes.
    static let fakeContext = "/org/freedesktop/IBus/InputContext_1"

    /// Makes all applications use an engine. Calls to this process are answered while it waits.
    func setGlobalEngine(_ name: String) throws(BusError) {
        let pending = try bus.send(Name.service, Name.path, Name.service, "SetGlobalEngine") {
            message throws(BusError) in try message.string(name)
        }
        try bus.process(until: .now + Self.engineLimit) { pending.result == nil }
        guard let result = pending.result else {
            throw BusError(operation: "SetGlobalEngine", name: "", reason: "the daemon does not answer")
        }
        _ = try result.get()
    }

    /// Registers an engine of this connection. It forgets the engine when the connection ends.
    func register(engine: String) throws(BusError) {
        try bus.request(name: Name.component)
        _ = try bus.call(Name.service, Name.path, Name.service, "RegisterComponent") {
            message throws(BusError) in
            try message.container("v", "(sa{sv}ssssssssavav)") { () throws(BusError) in
                try message.container("r", "sa{sv}ssssssssavav") { () throws(BusError) in
                    try Self.writeComponent(of: engine, to: message)
                }
            }
        }
    }

    /// Returns when the daemon has forgotten the engine of another connection, which has ended.
    func awaitForgetting() throws(BusError) {
        var isForgotten = false
        let match = try bus.match("member='NameOwnerChanged',arg0='\(Name.component)'", from: .bus) { _ in
            isForgotten = true
        }
        // Behind the match, so that it is not missed in between.
        let answer = try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner"
        ) { message throws(BusError) in try message.string(Name.component) }
        guard answer.boolean() == true else { return }
        try withExtendedLifetime(match) { () throws(BusError) in
            try bus.process(until: .now + Self.forgettingLimit) { !isForgotten }
        }
    }

    // MARK: - Messages

    /// As libibus writes an IBusComponent with one IBusEngineDesc.
    private static func writeComponent(of engine: String, to message: MessageWriter) throws(BusError) {
        try message.string("IBusComponent")
        try message.options([:])
        // Name, description, version, license, author, home page, program, text domain.
        for text in [Name.component, "VoiceDictation", "", "", "", "", "", ""] { try message.string(text) }
        try message.container("a", "v") {}
        try message.container("a", "v") { () throws(BusError) in
            try message.container("v", "(sa{sv}ssssssssusssssss)") { () throws(BusError) in
                try message.container("r", "sa{sv}ssssssssusssssss") { () throws(BusError) in
                    try message.string("IBusEngineDesc")
                    try message.options([:])
                    // Name, long name, description, language, license, author, icon, and the keyboard layout: "default"
                    // leaves the user's as it is.
                    for text in [
                        engine, "VoiceDictation", "Inserts dictated text", "", "", "", "", "default",
                    ] { try message.string(text) }
                    try message.unsigned(0)
                    // Hotkeys, symbol, set-up, the layout's variant and option, version, text domain.
                    for _ in 0..<7 { try message.string("") }
                }
            }
        }
    }

    private func property(_ name: String) throws(BusError) -> MessageReader? {
        do {
            return try bus.call(Name.service, Name.path, "org.freedesktop.DBus.Properties", "Get") {
                message throws(BusError) in
                try message.string(Name.service)
                try message.string(name)
            }
        } catch  where error.name == "org.freedesktop.DBus.Error.Failed" {
            return nil
        }
    }

    /// The first string, however deep.
    private static func string(in message: MessageReader) -> String? {
        message.string() ?? message.container { string(in: message) } ?? nil
    }

    /// ("IBusEngineDesc", {}, name, …), in a variant or two.
    private static func nameOfEngine(in message: MessageReader) -> String? {
        guard message.string() == nil else {
            message.skip("a{sv}")
            return message.string()
        }
        return message.container { nameOfEngine(in: message) } ?? nil
    }
}
