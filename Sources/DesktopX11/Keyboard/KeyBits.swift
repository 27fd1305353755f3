/// The set of keys that are down, as the server describes it: one bit a keycode.
struct KeyBits: Equatable {
    /// In bytes.
    static let size = 32
    let keycodes: [UInt8]

    /// - Parameter reply: where they begin in a reply of the server.
    init(at reply: UnsafeRawPointer) {
        self.init(UnsafeRawBufferPointer(start: reply, count: Self.size).map { CChar(bitPattern: $0) })
    }

    init(_ bytes: [CChar]) {
        // Keycodes begin at 8 (the X11 protocol).
        keycodes = (UInt8(8)...UInt8.max).filter { keycode in
            Int(keycode / 8) < bytes.count
                && UInt8(bitPattern: bytes[Int(keycode / 8)]) & (1 << (keycode % 8)) != 0
        }
    }
}
