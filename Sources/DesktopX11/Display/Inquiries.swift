import CX11
import Glibc

/// What can be asked of the server so that its answer need not be waited for at once.
enum Question: Hashable {
    case focus
    case parent(of: Window)
    case property(Atom, of: Window, limit: UInt32)
    /// - extension: the major opcode of XKEYBOARD.
    case keyboardState(extension: UInt8)
    /// - extension: the major opcode of XKEYBOARD.
    case keyboardControls(Int32, extension: UInt8)
    case pressedKeys
    /// Whether another client has grabbed the keyboard. Asked by a grab for a window that nobody can see, which the
    /// server refuses in any case, with this reason before all others: so nobody notices, neither the window with
    /// the focus nor the one that has the grab.
    case keyboardGrab(on: Window)
    /// - extension: the major opcode of XInput.
    case deviceKeys(Int32, extension: UInt8)
    /// Which process each client is.
    /// - extension: the major opcode of X-Resource.
    case clientProcesses(extension: UInt8)
    /// Not only a question: the device is grabbed as well.
    case deviceGrab(Int32, on: Window, extension: UInt8)

    /// Whether an answer that is taken for granted must be the same when it is asked again.
    fileprivate var isToBeConfirmed: Bool {
        switch self {
        // They are answered anew right before the keys, and then it is done what they ask for, whatever was before.
        case .keyboardState, .keyboardControls, .pressedKeys, .deviceKeys: false
        // A program does not change in this; others come and go all the time.
        case .clientProcesses: false
        default: true
        }
    }
}

/// Asks the server, and remembers what was asked ahead.
///
/// A question takes two changes of processes until its answer is there, some 40 µs each time, on a busy machine more.
/// Ten that are sent together take little longer than one, and those that are sent before something else is done take
/// nothing. So ``ahead(_:)`` sends what will be asked in a moment, and ``answer(_:_:)`` finds the answer there. Whoever
/// asks need not know about it; what was not foreseen is asked when it is needed.
///
/// An answer is of the moment at which the question was sent, and each is given once.
///
/// Answers can also be taken for granted (``assume(_:)``): those of an earlier time are given, until ``confirm()`` finds,
/// by one exchange, whether the server says the same now.
final class Inquiries {
    /// Questions with the replies to them, as the protocol has them.
    struct Answers {
        fileprivate var all: [Question: [UInt8]] = [:]
        /// Those of them that must be the same when they are asked again.
        fileprivate var toBeConfirmed: [Question: [UInt8]] = [:]

        var questions: [Question] { Array(all.keys) }

        mutating func forget(_ question: Question) {
            all[question] = nil
            toBeConfirmed[question] = nil
        }

        fileprivate mutating func note(_ reply: [UInt8], to question: Question) {
            all[question] = reply
            if question.isToBeConfirmed { toBeConfirmed[question] = reply }
        }
    }

    private let connection: OpaquePointer
    /// The numbers of the requests.
    private var sent: [Question: UInt32] = [:]
    private var learnt: Answers?
    /// What is taken for granted and was not asked for yet.
    private var assumed: [Question: [UInt8]] = [:]
    /// What was taken for granted.
    private var unconfirmed: [Question: [UInt8]] = [:]
    private var isMistaken = false

    /// - Parameter display: the requests go the same way as those by Xlib, in order with them.
    init(_ display: OpaquePointer) { connection = XGetXCBConnection(display) }

    /// Sends questions whose answers are wanted soon. An older answer to the same question is not wanted any more.
    func ahead(_ questions: [Question]) {
        prepare(questions)
        xcb_flush(connection)
    }

    /// Has them ready, to be sent together with what follows.
    func prepare(_ questions: [Question]) {
        for question in questions {
            if let old = sent.updateValue(send(question), forKey: question) {
                xcb_discard_reply(connection, old)
            }
        }
    }

    /// In order with the questions; see ``DisplayConnection/grabServer()``.
    func grabServer() { xcb_grab_server(connection) }

    /// Sends a request of an extension that is answered by nothing, in order with the questions and with Xlib's requests.
    ///
    /// - Parameter request: as the protocol has it; the length in it is filled in here.
    func tell(_ request: [UInt8]) {
        var request = request
        _ = cx11_send_request(connection, &request, request.count, 0)
    }

    // What follows is answered by nothing either; Xlib's requests for it would have to be sent before these here.

    /// Which events of a window are to be told of.
    func select(_ events: Int, of window: Window) {
        var mask = UInt32(truncatingIfNeeded: events)
        _ = xcb_change_window_attributes(
            connection, UInt32(truncatingIfNeeded: window), XCB_CW_EVENT_MASK.rawValue, &mask)
    }

    /// - Parameter words: of 8, 16 or 32 bits, as the property's format is.
    func setProperty<Word: FixedWidthInteger>(
        _ property: Atom, of window: Window, type: Atom, words: [Word], mode: Int32 = PropModeReplace
    ) {
        _ = xcb_change_property(
            connection, UInt8(mode), UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: property),
            UInt32(truncatingIfNeeded: type), UInt8(Word.bitWidth),
            UInt32(words.count), words)
    }

    func deleteProperty(_ property: Atom, of window: Window) {
        _ = xcb_delete_property(
            connection, UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: property))
    }

    /// Lets go of the answers that nobody has wanted: they would be old when somebody does.
    func forget() {
        for number in sent.values { xcb_discard_reply(connection, number) }
        sent = [:]
        assumed = [:]
        unconfirmed = [:]
        isMistaken = false
    }

    // MARK: Taking for granted

    /// From here on the answers are written down, for the next time.
    func learn() { learnt = Answers() }

    /// What was answered since ``learn()``.
    func takeLearnt() -> Answers {
        defer { learnt = nil }
        return learnt ?? Answers()
    }

    /// From here on these answers are given, each once, to questions that are not sent ahead. All of them are taken for
    /// granted, also what nobody asks for: something may have been concluded from it before.
    func assume(_ answers: Answers) {
        forget()
        assumed = answers.all
        unconfirmed = answers.toBeConfirmed
    }

    /// What was taken for granted, and is to be asked again.
    var doubts: [Question] { Array(unconfirmed.keys) }

    /// From here on nothing more is taken for granted.
    ///
    /// - Returns: whether the server says now what was taken for granted, the answers that were already given included. The
    ///   questions may have been sent ahead.
    func confirm() -> Bool {
        assumed = [:]
        for question in doubts { _ = answer(question) { _ in } }
        defer { isMistaken = false }
        return !isMistaken
    }

    /// - Parameter read: is given the reply as the protocol has it.
    /// - Returns: nil where the server has answered with an error, for a window that is gone for instance; or not at
    ///   all, as the connection is lost.
    func answer<Value>(_ question: Question, _ read: (UnsafeRawPointer) -> Value) -> Value? {
        let isAsked = sent[question] != nil
        if !isAsked, let reply = assumed.removeValue(forKey: question) {
            return reply.withUnsafeBytes { bytes in bytes.baseAddress.map(read) }
        }
        let number = sent.removeValue(forKey: question) ?? send(question)
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let reply = xcb_wait_for_reply(connection, number, &error)
        defer {
            free(reply)
            free(error)
        }
        if let known = unconfirmed.removeValue(forKey: question) {
            if !(reply.map { Self.says($0, known) } ?? false) { isMistaken = true }
        }
        guard let reply else { return nil }
        if learnt != nil { learnt?.note(Self.bytes(ofReply: reply), to: question) }
        return read(reply)
    }

    /// Without its number, so that two that say the same are equal.
    private static func bytes(ofReply reply: UnsafeRawPointer) -> [UInt8] {
        var bytes = Array(UnsafeRawBufferPointer(start: reply, count: size(ofReply: reply)))
        (bytes[2], bytes[3]) = (0, 0)
        return bytes
    }

    /// How many bytes there are to be read.
    static func size(ofReply reply: UnsafeRawPointer) -> Int {
        // xGenericReply: 32 bytes, and so many units of four as its length says.
        32 + 4 * Int(reply.load(fromByteOffset: 4, as: UInt32.self))
    }

    /// Whether a reply is the same as ``bytes(ofReply:)`` of another one.
    private static func says(_ reply: UnsafeRawPointer, _ known: [UInt8]) -> Bool {
        let length = size(ofReply: reply)
        return known.withUnsafeBytes { known in
            guard let start = known.baseAddress, known.count == length else { return false }
            return memcmp(reply, start, 2) == 0 && memcmp(reply + 4, start + 4, length - 4) == 0
        }
    }

    var isLost: Bool { xcb_connection_has_error(connection) != 0 }

    // MARK: The requests

    private func send(_ question: Question) -> UInt32 {
        switch question {
        case .focus: return xcb_get_input_focus(connection).sequence
        case .parent(let window):
            return xcb_query_tree(connection, UInt32(truncatingIfNeeded: window)).sequence
        case .property(let atom, let window, let limit):
            return xcb_get_property(
                connection, 0, UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: atom), 0, 0,
                limit
            ).sequence
        case .keyboardGrab(let window):
            let mode = UInt8(GrabModeAsync)
            return xcb_grab_keyboard(
                connection, 0, UInt32(truncatingIfNeeded: window), UInt32(CurrentTime), mode, mode
            ).sequence
        case .keyboardState(let opcode):
            // xkbGetState: the core keyboard, two bytes of padding.
            return send([opcode, 4, 0, 0] + Self.bytes(UInt16(XkbUseCoreKbd)) + [0, 0])
        case .keyboardControls(let device, let opcode):
            // xkbGetControls: the same.
            return send([opcode, 6, 0, 0] + Self.bytes(UInt16(truncatingIfNeeded: device)) + [0, 0])
        case .pressedKeys: return xcb_query_keymap(connection).sequence
        case .clientProcesses(let opcode):
            // QueryClientIds: one wish, of all clients, for the process on this machine.
            return send([opcode, 4, 0, 0] + [1, 0, 2].flatMap { Self.bytes(UInt32($0)) })
        case .deviceKeys(let device, let opcode):
            // QueryDeviceState.
            return send([opcode, 30, 0, 0, UInt8(truncatingIfNeeded: device), 0, 0, 0])
        case .deviceGrab(let device, let window, let opcode):
            var mask = DisplayConnection.eventBits([XI_KeyPress, XI_KeyRelease])
            mask += [UInt8](repeating: 0, count: -mask.count & 3)
            let mode = UInt8(XIGrabModeAsync)
            // XIGrabDevice: window, time and cursor; device, modes, no owner's events; the mask in units of four bytes.
            return send(
                [opcode, 51, 0, 0] + Self.bytes(UInt32(truncatingIfNeeded: window))
                    + Self.bytes(UInt32(CurrentTime))
                    + Self.bytes(UInt32(0))
                    + Self.bytes(UInt16(truncatingIfNeeded: device)) + [mode, mode, 0, 0]
                    + Self.bytes(UInt16(mask.count / 4)) + mask)
        }
    }

    private func send(_ request: [UInt8]) -> UInt32 {
        var request = request
        return cx11_send_request(connection, &request, request.count, 1)
    }

    /// In the order of this machine, which is that of the connection.
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }
}
