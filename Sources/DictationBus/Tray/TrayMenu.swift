/// The menu of the tray's item on the bus (com.canonical.dbusmenu).
///
/// A tray names entries by numbers. An action keeps its number for life, and no other action ever gets it: a
/// click on an entry that has just gone does nothing, even if another one is in its place now.
final class TrayMenu {
    static let path = "/MenuBar"
    private static let interface = "com.canonical.dbusmenu"

    private struct Node {
        let number: Int32
        let properties: [String: MessageWriter.Option]
        let children: [Node]
        /// The name of its action; nil if it has none.
        let action: String?
    }

    private let bus: Bus
    private let chosen: (String) -> Void
    private var entries: [StatusItem.Entry] = []
    private var root = Node(number: 0, properties: [:], children: [], action: nil)
    private var revision: UInt32 = 1
    private var last: Int32 = 0
    private var numbers: [String: Int32] = [:]

    init(_ bus: Bus, _ chosen: @escaping (String) -> Void) {
        self.bus = bus
        self.chosen = chosen
    }

    func show(_ new: [StatusItem.Entry]) throws(BusError) {
        guard new != entries else { return }
        entries = new
        let known = numbers
        numbers = [:]
        root = Node(
            number: 0, properties: ["children-display": .string("submenu")],
            children: new.map { node($0, known) }, action: nil)
        revision += 1
        try bus.emit(Self.path, Self.interface, "LayoutUpdated") { message throws(BusError) in
            try message.unsigned(revision)
            try message.integer(0)
        }
    }

    private func node(_ entry: StatusItem.Entry, _ known: [String: Int32]) -> Node {
        switch entry {
        case .action(let name, let label):
            let number = known[name] ?? nextNumber()
            numbers[name] = number
            return Node(
                number: number, properties: ["label": .string(label.mnemonicEscaped)], children: [],
                action: name)
        case .submenu(let label, let entries):
            return Node(
                number: nextNumber(),
                properties: [
                    "label": .string(label.mnemonicEscaped), "children-display": .string("submenu"),
                ],
                children: entries.map { node($0, known) }, action: nil)
        case .separator:
            return Node(
                number: nextNumber(), properties: ["type": .string("separator")], children: [], action: nil)
        }
    }

    private func nextNumber() -> Int32 {
        last = last == .max ? 1 : last + 1
        return last
    }

    // MARK: - Calls of a tray

    func answer(_ message: MessageReader) -> ServedObject.Answer? {
        switch message.member {
        case "GetLayout": return layout(message)
        case "GetGroupProperties": return properties(message)
        case "GetProperty":
            guard let number = message.integer(), let node = node(number), let name = message.string(),
                let property = node.properties[name]
            else { return nil }
            return { answer throws(BusError) in try answer.variant(property) }
        case "Event":
            take(message)
            return { _ in }
        case "EventGroup":
            _ = message.container("a", "(isvu)") {
                while message.container("r", "isvu", { self.take(message) }) != nil {}
            }
            return Self.noNumbers(1)
        case "AboutToShow": return { answer throws(BusError) in try answer.boolean(false) }
        case "AboutToShowGroup": return Self.noNumbers(2)
        case "Get":
            message.skip("s")
            guard let property = message.string().flatMap({ Self.own[$0] }) else { return nil }
            return { answer throws(BusError) in try answer.variant(property) }
        case "GetAll": return { answer throws(BusError) in try answer.options(Self.own) }
        default: return nil
        }
    }

    private static var own: [String: MessageWriter.Option] {
        [
            "Version": .unsigned(3), "Status": .string("normal"), "TextDirection": .string("ltr"),
            "IconThemePath": .other(type: "as") { message throws(BusError) in
                try message.container("a", "s") {}
            },
        ]
    }

    private static func noNumbers(_ count: Int) -> ServedObject.Answer {
        { answer throws(BusError) in for _ in 0..<count { try answer.container("a", "i") {} } }
    }

    /// (number, event, data, time)
    private func take(_ message: MessageReader) {
        guard let number = message.integer(), message.string() == "clicked", let action = node(number)?.action
        else { return }
        chosen(action)
    }

    private func node(_ number: Int32, under node: Node? = nil) -> Node? {
        let node = node ?? root
        if node.number == number { return node }
        for child in node.children { if let found = self.node(number, under: child) { return found } }
        return nil
    }

    /// (number, depth, [names]); a depth of -1 is all of it.
    private func layout(_ message: MessageReader) -> ServedObject.Answer? {
        guard let number = message.integer(), let depth = message.integer(), let node = node(number) else {
            return nil
        }
        return { [revision] answer throws(BusError) in
            try answer.unsigned(revision)
            try Self.write(node, depth, to: answer)
        }
    }

    private static func write(_ node: Node, _ depth: Int32, to answer: MessageWriter) throws(BusError) {
        try answer.container("r", "ia{sv}av") { () throws(BusError) in
            try answer.integer(node.number)
            try answer.options(node.properties)
            try answer.container("a", "v") { () throws(BusError) in
                guard depth != 0 else { return }
                for child in node.children {
                    try answer.container("v", "(ia{sv}av)") { () throws(BusError) in
                        try write(child, depth < 0 ? depth : depth - 1, to: answer)
                    }
                }
            }
        }
    }

    /// ([numbers], [names]); no numbers are all of them.
    private func properties(_ message: MessageReader) -> ServedObject.Answer? {
        var wanted: [Int32] = []
        _ = message.container("a", "i") { while let number = message.integer() { wanted.append(number) } }
        let nodes = wanted.isEmpty ? all(root) : wanted.compactMap { node($0) }
        return { answer throws(BusError) in
            try answer.container("a", "(ia{sv})") { () throws(BusError) in
                for node in nodes {
                    try answer.container("r", "ia{sv}") { () throws(BusError) in
                        try answer.integer(node.number)
                        try answer.options(node.properties)
                    }
                }
            }
        }
    }

    private func all(_ node: Node) -> [Node] { [node] + node.children.flatMap(all) }
}

extension String {
    /// An underscore marks the letter after it as a key for the entry.
    fileprivate var mnemonicEscaped: String { replacing("_", with: "__") }
}
