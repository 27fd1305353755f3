import CX11
import Desktop

/// The keyboards behind the one that applications see: the user's, and the one that XTEST types on.
struct KeyboardDevices {
    /// A key of the user that came while the keyboards were grabbed.
    struct Captured: Equatable {
        let keycode: UInt8
        let isPress: Bool
        let isRepeat: Bool
        /// By the server's clock.
        let time: Time
    }

    private let connection: DisplayConnection
    let extensionOpcode: Int32

    init(connection: DisplayConnection) throws(DesktopError) {
        self.connection = connection
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        var major: Int32 = 2
        var minor: Int32 = 2
        let isThere = connection.whileNoneOpensOrCloses {
            XQueryExtension(connection.display, "XInputExtension", &opcode, &event, &error) != 0
                && XIQueryVersion(connection.display, &major, &minor) == Success
        }
        guard isThere else { throw .missingExtension("XInput 2.2") }
        extensionOpcode = opcode
    }

    /// Asks to be told when a keyboard is plugged in or out; see ``isRearranging(_:)``.
    func watchHierarchy() { connection.select([XI_HierarchyChanged], of: Int32(XIAllDevices)) }

    func isRearranging(_ event: XEvent) -> Bool {
        event.xcookie.extension == extensionOpcode && event.xcookie.evtype == XI_HierarchyChanged
    }

    /// The user's keyboards and the XTEST one, as they are plugged in now.
    func list() -> (physical: [Int32], xtest: Int32?) {
        var physical: [Int32] = []
        var xtest: Int32?
        for (device, name) in named() {
            if name == "Virtual core XTEST keyboard" {
                xtest = device
            } else if !name.contains("XTEST") {
                physical.append(device)
            }
        }
        return (physical, xtest)
    }

    /// Whether the keys of these keyboards come from a Wayland compositor.
    var areOfXWayland: Bool { named().contains { $0.name.hasPrefix("xwayland-") } }

    /// One that a program has grabbed is detached at this time, but still a keyboard.
    private func named() -> [(device: Int32, name: String)] {
        var count: Int32 = 0
        guard let devices = XIQueryDevice(connection.display, XIAllDevices, &count) else { return [] }
        defer { XIFreeDeviceInfo(devices) }
        return UnsafeBufferPointer(start: devices, count: Int(count))
            .filter { $0.use == XISlaveKeyboard || $0.use == XIFloatingSlave && Self.hasKeys($0) }
            .map { ($0.deviceid, String(cString: $0.name)) }
    }

    private static func hasKeys(_ device: XIDeviceInfo) -> Bool {
        let classes = UnsafeBufferPointer(start: device.classes, count: Int(device.num_classes))
        return classes.contains { $0?.pointee.type == XIKeyClass }
    }

    private var opcode: UInt8 { UInt8(truncatingIfNeeded: extensionOpcode) }

    /// The question for ``pressedKeycodes(on:)``.
    func keysQuestion(_ device: Int32) -> Question { .deviceKeys(device, extension: opcode) }

    /// The keys that are down on one keyboard by itself.
    func pressedKeycodes(on device: Int32) -> [UInt8] {
        connection.answer(keysQuestion(device)) { reply in
            // The classes follow the reply's 32 bytes, each with its kind and its length in its first two.
            let size = Inquiries.size(ofReply: reply)
            var next = 32
            for _ in 0..<reply.load(fromByteOffset: 8, as: UInt8.self) {
                guard next + 4 <= size else { return [] }
                if reply.load(fromByteOffset: next, as: UInt8.self) == UInt8(KeyClass) {
                    return next + 4 + KeyBits.size <= size ? KeyBits(at: reply + next + 4).keycodes : []
                }
                next += Int(reply.load(fromByteOffset: next + 1, as: UInt8.self))
            }
            return []
        } ?? []
    }

    /// Grabs keyboards: their keys come only to us now. The server releases them when this process ends.
    ///
    /// - Returns: those that were grabbed; another program may have one already.
    func grab(_ devices: [Int32]) -> [Int32] {
        connection.inquiries.ahead(devices.map(grabQuestion))
        return devices.filter { device in
            connection.answer(grabQuestion(device)) { reply in
                // xXIGrabDeviceReply.
                Int32(reply.load(fromByteOffset: 8, as: UInt8.self)) == GrabSuccess
            } ?? false
        }
    }

    private func grabQuestion(_ device: Int32) -> Question {
        .deviceGrab(device, on: connection.root, extension: opcode)
    }

    func ungrab(_ devices: [Int32]) {
        for device in devices { XIUngrabDevice(connection.display, device, Time(CurrentTime)) }
    }

    /// The key in an event that a grab has brought here; nil for any other event.
    func captured(_ event: XEvent) -> Captured? {
        data(of: event, ofType: [XI_KeyPress, XI_KeyRelease]) { (key: XIDeviceEvent) in
            Captured(
                keycode: UInt8(truncatingIfNeeded: key.detail), isPress: key.evtype == XI_KeyPress,
                isRepeat: key.flags & XIKeyRepeat != 0, time: key.time)
        }
    }

    /// The key that was released on a keyboard, and when, by the server's clock; nil for any other event.
    func rawRelease(_ event: XEvent) -> (keycode: UInt8, time: Time)? {
        data(of: event, ofType: [XI_RawKeyRelease]) { (raw: XIRawEvent) in
            (UInt8(truncatingIfNeeded: raw.detail), raw.time)
        }
    }

    /// The key that was pressed on a keyboard, no matter which client gets it; nil for any other event.
    func rawPress(_ event: XEvent) -> UInt8? {
        data(of: event, ofType: [XI_RawKeyPress]) { (raw: XIRawEvent) in
            UInt8(truncatingIfNeeded: raw.detail)
        }
    }

    /// An event's data can be fetched only once.
    private func data<Event, Value>(
        of event: XEvent, ofType types: [Int32], _ read: (Event) -> Value
    ) -> Value? {
        guard event.type == GenericEvent else { return nil }
        var cookie = event.xcookie
        guard cookie.extension == extensionOpcode, types.contains(cookie.evtype),
            XGetEventData(connection.display, &cookie) != 0
        else { return nil }
        defer { XFreeEventData(connection.display, &cookie) }
        return cookie.data.map { read($0.assumingMemoryBound(to: Event.self).pointee) }
    }
}

extension DisplayConnection {
    /// One bit for each type of event of XInput 2 (XIMaskLen, XISetMask).
    static func eventBits(_ types: [Int32]) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: Int(XI_LASTEVENT) / 8 + 1)
        for type in types { bits[Int(type) / 8] |= 1 << UInt8(type % 8) }
        return bits
    }

    /// Asks for these events of XInput 2, for all windows, and for no others of those devices.
    func select(_ types: [Int32], of devices: Int32) {
        var bits = Self.eventBits(types)
        bits.withUnsafeMutableBufferPointer { bits in
            var mask = XIEventMask(deviceid: devices, mask_len: Int32(bits.count), mask: bits.baseAddress)
            XISelectEvents(display, root, &mask, 1)
        }
    }
}
