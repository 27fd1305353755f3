import Desktop
import DictationBus
import DictationSystem

/// The window that has the focus, and the part of it that has.
struct FocusedPart: Sendable {
    let window: WindowInfo
    let frame: AccessibleObject
    let part: AccessibleObject
    let states: AccessibleStates
    let interfaces: Set<String>
    let role: AccessibleRole?
    /// The name of what draws it.
    let toolkit: String
    /// Whether the window does not show which part of it has the focus: then it represents the part.
    var isWholeWindow = false

    /// Whether text can be put into it.
    var takesText: Bool {
        // Gecko accepts the call and ignores the text (Firefox 153).
        states.contains(.editable) && interfaces.contains(AccessibleInterface.editableText.name)
            && showsText && toolkit != "Gecko"
    }

    /// Whether its text can be read.
    var showsText: Bool { interfaces.contains(AccessibleInterface.text.name) }

    /// What an input method must confirm there, if text cannot be put into it directly; nil if it is no text
    /// field.
    var commits: CommitConfirmation? {
        if takesText { return nil }
        // Chromium shows its window alone. It reports the content of its text fields to the input method.
        if isWholeWindow { return .needed }
        // GTK 4 does not say that a terminal is one, and Qt says that it cannot be edited.
        return states.contains(.editable) || role == .terminal || window.isTerminal ? .notNeeded : nil
    }

    /// Whether a newline is text there, and no key.
    var takesLines: Bool { role != .terminal && (states.contains(.multiLine) || isWholeWindow) }
}

/// Searches all programs for the window that has the focus, and in it for the part that has.
///
/// No compositor reports the focus on GNOME and KDE, but each program knows it of its own windows. If two say that they have
/// it, the focus is just moving, and no one has it.
struct FocusSearch {
    let bus: AccessibilityBus

    /// How long all programs may take together to answer one round of questions.
    private static let roundLimit: Duration = .seconds(3)
    /// More parts of a window are not looked through.
    private static let partLimit = 5_000

    /// - Throws: ``BusError`` if the bus is gone.
    func run() throws(BusError) -> FocusedPart? {
        let programs = try children(of: [.desktop])
        let windows = try children(of: programs)
        var found: [FocusedPart] = []
        for (window, states) in zip(windows, try states(of: windows)) {
            guard let states, states.contains(.active) else { continue }
            found.append(try focusedPart(of: window, states))
        }
        // One that shows its focused part has it: others may only be getting it.
        let parts = found.filter { !$0.isWholeWindow }
        return parts.count == 1 ? parts[0] : found.count == 1 ? found[0] : nil
    }

    /// Whether a window and its part still have the focus; nil if the program does not answer.
    func isUnchanged(_ focus: FocusedPart, within limit: Duration) throws(BusError) -> Bool? {
        let states = try states(of: [focus.frame, focus.part], within: limit)
        guard let frame = states[0], let part = states[1] else { return nil }
        return frame.contains(.active) && part.contains(.focused)
    }

    // MARK: - Inside a window

    private func focusedPart(
        of frame: AccessibleObject, _ states: AccessibleStates
    ) throws(BusError) -> FocusedPart {
        let focused = try focusedParts(of: frame)
        let interfaces = try interfaces(of: focused.map(\.object))
        let roles = try roles(of: focused.map(\.object))
        let program = AccessibleObject(owner: frame.owner, path: "/org/a11y/atspi/accessible/root")
        let answers = try bus.ask(
            [
                AccessibilityBus.property("Name", of: frame, .accessible),
                AccessibilityBus.property("Name", of: program, .accessible),
                AccessibilityBus.property("ToolkitName", of: program, .application),
            ], within: Self.roundLimit)
        let process = try bus.processID(of: frame.owner)
        let name = answers[1]?.stringProperty() ?? ""
        let window = WindowInfo(
            id: frame.windowID, windowClass: ProgramName.of(process: process, saidName: name),
            title: answers[0]?.stringProperty() ?? "", pid: process)
        let toolkit = answers[2]?.stringProperty() ?? ""
        let parts = focused.indices.map {
            FocusedPart(
                window: window, frame: frame, part: focused[$0].object, states: focused[$0].states,
                interfaces: interfaces[$0], role: roles[$0], toolkit: toolkit)
        }
        // Containers of the focused part may say that they have the focus too (Qt), and so may their contents.
        return parts.last(where: \.takesText) ?? parts.last(where: \.showsText) ?? parts.last
            ?? FocusedPart(
                window: window, frame: frame, part: frame, states: states, interfaces: [], role: nil,
                toolkit: toolkit, isWholeWindow: true)
    }

    private typealias Part = (object: AccessibleObject, states: AccessibleStates)

    /// The parts that say that they have the focus, from the outside to the inside.
    private func focusedParts(of frame: AccessibleObject) throws(BusError) -> [Part] {
        if let matches = try matches(in: frame) {
            return zip(matches, try states(of: matches)).compactMap { object, states in
                states.map { (object, $0) }
            }
        }
        // Level by level: a window needs one round per level.
        var level = [frame]
        var seen: Set<AccessibleObject> = [frame]
        var focused: [Part] = []
        while !level.isEmpty, seen.count < Self.partLimit {
            let parts = zip(level, try states(of: level)).compactMap { object, states in
                states.map { (object: object, states: $0) }
            }
            focused += parts.filter { $0.states.contains(.focused) }
            let visible = parts.filter { $0.states.contains(.visible) || $0.object == frame }
            level = try children(of: visible.map(\.object)).filter { seen.insert($0).inserted }
        }
        return focused
    }

    /// The focused objects that the program itself finds; nil if it cannot search (Qt, GTK 4).
    private func matches(in frame: AccessibleObject) throws(BusError) -> [AccessibleObject]? {
        guard try interfaces(of: [frame])[0].contains(AccessibleInterface.collection.name) else { return nil }
        let answer = try bus.ask(
            .init(object: frame, interface: .collection, member: "GetMatches") { message throws(BusError) in
                try message.rule(matching: .focused)
                // In the order of the tree, all of them, those inside others too.
                try message.unsigned(1)
                try message.integer(0)
                try message.boolean(true)
            }, within: Self.roundLimit)
        return answer?.objects()
    }

    // MARK: - Rounds of questions

    private func children(of objects: [AccessibleObject]) throws(BusError) -> [AccessibleObject] {
        try bus.ask(
            objects.map { .init(object: $0, interface: .accessible, member: "GetChildren") },
            within: Self.roundLimit
        ).flatMap { $0?.objects() ?? [] }
    }

    private func states(
        of objects: [AccessibleObject], within limit: Duration = roundLimit
    ) throws(BusError) -> [AccessibleStates?] {
        try bus.ask(
            objects.map { .init(object: $0, interface: .accessible, member: "GetState") }, within: limit
        ).map { $0?.states() }
    }

    private func roles(of objects: [AccessibleObject]) throws(BusError) -> [AccessibleRole?] {
        try bus.ask(
            objects.map { .init(object: $0, interface: .accessible, member: "GetRole") },
            within: Self.roundLimit
        ).map { $0?.unsigned().flatMap(AccessibleRole.init) }
    }

    private func interfaces(of objects: [AccessibleObject]) throws(BusError) -> [Set<String>] {
        try bus.ask(
            objects.map { .init(object: $0, interface: .accessible, member: "GetInterfaces") },
            within: Self.roundLimit
        ).map { Set($0?.strings() ?? []) }
    }
}

extension AccessibleObject {
    /// The number of a window: the same for as long as the window is there. (FNV-1a, among the numbers of native windows.)
    var windowID: UInt64 {
        let hash = "\(owner) \(path)".utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return hash >> 2 | WindowInfo.firstNativeID
    }
}

extension MessageWriter {
    /// A rule that an object matches if it has a state (AtspiMatchRule of libatspi).
    fileprivate func rule(matching states: AccessibleStates) throws(BusError) {
        let all: Int32 = 1
        try container("r", "aiia{ss}iaiiasib") { () throws(BusError) in
            try container("a", "i") { () throws(BusError) in
                try integer(Int32(truncatingIfNeeded: states.rawValue))
                try integer(Int32(truncatingIfNeeded: states.rawValue >> 32))
            }
            try integer(all)
            try container("a", "{ss}") {}
            try integer(all)
            // No role and no interface in particular.
            try container("a", "i") { () throws(BusError) in
                for _ in 0..<4 { try integer(0) }
            }
            try integer(all)
            try container("a", "s") {}
            try integer(all)
            try boolean(false)
        }
    }
}
