import CX11
import Desktop
import DictationSystem

/// Tells when another program's window is shown, drawn into and hidden, and presses keys: for measuring how soon and how
/// steadily that comes.
///
/// By what the X server itself is asked for (the RECORD extension), so the other program does nothing for it. It belongs
/// to one thread.
public final class DrawingWatch {
    public enum Kind: Sendable { case shown, drawn, hidden }

    /// A request that the server began to carry out.
    public struct Event: Sendable {
        public let kind: Kind
        public let time: ContinuousClock.Instant
    }

    private let control: DisplayConnection
    private let data: DisplayConnection
    private let context: XRecordContext
    private let requests = Requests()
    /// The class of the windows that are watched.
    private let name: String
    private var known: [Window: Bool] = [:]

    /// The requests of all windows.
    fileprivate final class Requests {
        var all: [(kind: Kind, window: Window, time: ContinuousClock.Instant)] = []
    }

    /// The codes of MapWindow, UnmapWindow, PolyFillRectangle and PutImage in the core protocol.
    fileprivate static let kinds: [UInt8: Kind] = [8: .shown, 10: .hidden, 70: .drawn, 72: .drawn]

    /// - Parameters:
    ///   - name: the class of the windows (the first part of WM_CLASS).
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError``
    public init(windowsOfClass name: String, display: String? = nil) throws(DesktopError) {
        self.name = name
        control = try DisplayConnection(name: display)
        data = try DisplayConnection(name: display)
        var (major, minor): (Int32, Int32) = (0, 0)
        guard XRecordQueryVersion(control.display, &major, &minor) != 0 else {
            throw .missingExtension("RECORD")
        }
        var ranges = Self.kinds.keys.map { code -> UnsafeMutablePointer<XRecordRange>? in
            let range = XRecordAllocRange()
            range?.pointee.core_requests = XRecordRange8(first: code, last: code)
            return range
        }
        defer { for range in ranges { XFree(range) } }
        var clients = XRecordClientSpec(XRecordAllClients)
        context = XRecordCreateContext(control.display, 0, &clients, 1, &ranges, Int32(ranges.count))
        guard context != 0 else { throw .missingExtension("RECORD") }
        // RECORD keeps a short report until the server sends any event: it sends this one whenever a window is
        // shown or hidden. (A picture is longer than what it keeps.)
        XSelectInput(control.display, control.root, SubstructureNotifyMask)
        // The other connection must know the context.
        control.sync()
        let started = XRecordEnableContextAsync(
            data.display, context,
            { requests, intercepted in
                guard let requests, let intercepted else { return }
                Unmanaged<Requests>.fromOpaque(requests).takeUnretainedValue().add(intercepted.pointee)
                XRecordFreeData(intercepted)
            },
            UnsafeMutableRawPointer(Unmanaged.passUnretained(requests).toOpaque()).assumingMemoryBound(
                to: CChar.self))
        guard started != 0 else { throw .missingExtension("RECORD") }
        data.flush()
    }

    deinit {
        guard !control.isLost else { return }
        XRecordDisableContext(control.display, context)
        XRecordFreeContext(control.display, context)
        control.sync()
    }

    /// Presses and releases a key.
    ///
    /// - Parameter name: an X11 name such as `F9`.
    /// - Returns: when it was sent.
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func tap(_ name: String) throws(DesktopError) -> ContinuousClock.Instant {
        let code = XKeysymToKeycode(control.display, XStringToKeysym(name))
        let began = ContinuousClock.now
        for isPress in [1, 0] { XTestFakeKeyEvent(control.display, UInt32(code), Int32(isPress), 0) }
        control.flush()
        try control.checkAlive()
        return began
    }

    /// Waits for the next event.
    ///
    /// - Parameter wait: returns when the descriptor is readable, or `deadline` has passed.
    /// - Returns: nil if none came before `deadline`.
    /// - Throws: ``DesktopError/displayLost(name:)``, and what `wait` does.
    public func next(
        before deadline: ContinuousClock.Instant, wait: (_ descriptor: Int32) throws -> Void
    ) throws -> Event? {
        while true {
            while control.nextEvent() != nil {}
            XRecordProcessReplies(data.display)
            try data.checkAlive()
            while !requests.all.isEmpty {
                let (kind, window, time) = requests.all.removeFirst()
                if isWatched(window) { return Event(kind: kind, time: time) }
            }
            if deadline <= .now { return nil }
            try wait(data.descriptor)
        }
    }

    private func isWatched(_ window: Window) -> Bool {
        if let known = known[window] { return known }
        let classes = control.textProperty("WM_CLASS", of: window)
        let isWatched = classes?.split(separator: "\0").first.map(String.init) == name
        known[window] = isWatched
        return isWatched
    }
}

extension DrawingWatch.Requests {
    /// Records a request, in the core protocol's layout.
    fileprivate func add(_ intercepted: XRecordInterceptData) {
        let time = ContinuousClock.now
        guard intercepted.category == XRecordFromClient, intercepted.data_len >= 2 else { return }
        let bytes = UnsafeRawBufferPointer(start: intercepted.data, count: Int(intercepted.data_len) * 4)
        guard let kind = DrawingWatch.kinds[bytes[0]] else { return }
        // A long request has its length in four bytes more.
        let isLong = bytes[2] == 0 && bytes[3] == 0
        let offset = isLong ? 8 : 4
        guard bytes.count >= offset + 4 else { return }
        let window = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        all.append((kind, Window(window), time))
    }
}
