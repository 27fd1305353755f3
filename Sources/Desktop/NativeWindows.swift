import DictationSystem

extension WindowInfo {
    /// X11's window numbers have 32 bits; those of windows that speak Wayland themselves begin here.
    public static let firstNativeID: UInt64 = 1 << 40

    /// Whether it speaks Wayland itself.
    public var isNative: Bool { id >= Self.firstNativeID }
}
