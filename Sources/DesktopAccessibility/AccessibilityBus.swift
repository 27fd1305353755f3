import DictationBus

/// A connection to the bus on which programs show their windows to assistive technology (AT-SPI). Belongs to one thread.
///
/// GTK, Qt and the browsers speak on it. Nothing is listened to: a program is asked when a text comes.
final class AccessibilityBus {
    static let service = "org.a11y.Bus"
    static let path = "/org/a11y/bus"

    let bus: Bus
    /// Programs that have not answered in time when they were asked last.
    private var silent: Set<String> = []

    /// How long such a program may take: one that hangs must not delay each text.
    private static let silentLimit: Duration = .milliseconds(200)

    /// How long the session may take to name the bus: a text waits for it.
    private static let addressLimit: Duration = .seconds(2)

    /// - Parameters:
    ///   - session: the session's own bus, which knows where this one is.
    ///   - limit: how long the session may take to name this one.
    /// - Throws: ``BusError`` if there is none.
    init(session: Bus.Kind = .session, within limit: Duration = addressLimit) throws(BusError) {
        let session = try Bus(session)
        let answer = try session.call(Self.service, Self.path, Self.service, "GetAddress", within: limit)
        guard let address = answer.string(), !address.isEmpty else {
            throw BusError(operation: "find the accessibility bus", name: "", reason: "it has no address")
        }
        bus = try Bus(.address(address))
    }

    // MARK: - Asking programs

    /// A question to an object.
    struct Question {
        let object: AccessibleObject
        let interface: AccessibleInterface
        let member: String
        var fill: (MessageWriter) throws(BusError) -> Void = { _ in }
    }

    /// Asks all of them at once.
    ///
    /// - Parameter limit: how long the answers may take together. A program that took longer gets only a
    ///   short time until it answers again.
    /// - Returns: the answers in the order of the questions; nil for one that had no answer, or an error.
    /// - Throws: ``BusError`` if the bus is gone.
    func ask(_ questions: [Question], within limit: Duration) throws(BusError) -> [MessageReader?] {
        let start = ContinuousClock.now
        // By the bus's own limit a program that hangs would seem to have answered.
        let busLimit = limit + .seconds(1)
        var answers: [PendingAnswer] = []
        for question in questions {
            answers.append(
                try bus.send(
                    question.object.owner, question.object.path, question.interface.name, question.member,
                    within: busLimit, question.fill))
        }
        let asked = zip(questions.map(\.object.owner), answers)
        try bus.process(until: start + limit) {
            asked.contains { !silent.contains($0) && $1.result == nil }
        }
        try bus.process(until: start + min(limit, Self.silentLimit)) {
            asked.contains { $1.result == nil }
        }
        for (owner, answer) in asked {
            if answer.result == nil { silent.insert(owner) } else { silent.remove(owner) }
        }
        return answers.map { try? $0.result?.get() }
    }

    func ask(_ question: Question, within limit: Duration) throws(BusError) -> MessageReader? {
        try ask([question], within: limit).first ?? nil
    }

    /// A question for a property.
    static func property(
        _ name: String, of object: AccessibleObject, _ interface: AccessibleInterface
    ) -> Question {
        Question(object: object, interface: .properties) { message throws(BusError) in
            try message.string(interface.name)
            try message.string(name)
        }
    }
}

extension AccessibilityBus.Question {
    fileprivate init(
        object: AccessibleObject, interface: AccessibleInterface,
        _ fill: @escaping (MessageWriter) throws(BusError) -> Void
    ) {
        self.init(object: object, interface: interface, member: "Get", fill: fill)
    }
}

/// A window, or a part of one, of a program on the accessibility bus.
struct AccessibleObject: Hashable, Sendable {
    /// The program's name on the bus.
    let owner: String
    let path: String

    /// The list of all programs.
    static let desktop = AccessibleObject(
        owner: "org.a11y.atspi.Registry", path: "/org/a11y/atspi/accessible/root")

    /// The path that programs return in place of an object that they do not have.
    static let nowhere = "/org/a11y/atspi/null"
}

/// The interfaces of AT-SPI that are used.
enum AccessibleInterface: String {
    case accessible = "Accessible"
    case application = "Application"
    case collection = "Collection"
    case text = "Text"
    case editableText = "EditableText"
    case properties

    var name: String {
        self == .properties ? "org.freedesktop.DBus.Properties" : "org.a11y.atspi.\(rawValue)"
    }
}

/// The kind of an object: AtspiRole of libatspi, by number, as far as it matters.
enum AccessibleRole: UInt32 {
    case terminal = 60
}

/// The states that an object reports: AtspiStateType of libatspi, by number.
struct AccessibleStates: OptionSet, Sendable {
    let rawValue: UInt64

    /// A window that has the focus.
    static let active = AccessibleStates(rawValue: 1 << 1)
    static let editable = AccessibleStates(rawValue: 1 << 7)
    static let focused = AccessibleStates(rawValue: 1 << 12)
    static let multiLine = AccessibleStates(rawValue: 1 << 17)
    static let visible = AccessibleStates(rawValue: 1 << 30)
}

extension MessageReader {
    /// The answer to GetState: two halves.
    func states() -> AccessibleStates? {
        container("a", "u") {
            guard let low = unsigned(), let high = unsigned() else { return nil }
            return AccessibleStates(rawValue: UInt64(low) | UInt64(high) << 32)
        } ?? nil
    }

    /// An object.
    func object() -> AccessibleObject? {
        container("r", "so") {
            guard let owner = string(), let path = string(), path != AccessibleObject.nowhere else {
                return nil
            }
            return AccessibleObject(owner: owner, path: path)
        } ?? nil
    }

    /// A list of objects.
    func objects() -> [AccessibleObject] {
        var objects: [AccessibleObject] = []
        _ = container("a", "(so)") {
            // An invalid object is left out, and does not end the list.
            while !isAtEnd { if let object = object() { objects.append(object) } }
        }
        return objects
    }

    func strings() -> [String] {
        var strings: [String] = []
        _ = container("a", "s") {
            while let string = string() { strings.append(string) }
        }
        return strings
    }

    /// The number in a variant, of a property.
    func integerProperty() -> Int? {
        let number = container("v", "i") { integer() }
        return (number ?? nil).map(Int.init)
    }

    /// The string in a variant.
    func stringProperty() -> String? { container("v", "s") { string() } ?? nil }
}
