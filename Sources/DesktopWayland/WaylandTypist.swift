import CWayland
import Desktop
import DictationSystem
import Foundation

/// Types text into the focused window of a Wayland compositor that has the protocols of wlroots: sway, Hyprland, River,
/// labwc. GNOME and KDE do not have them.
///
/// ```swift
/// let typist = try WaylandTypist(socket: socket)
/// if let window = try await typist.focusedWindow() {
///     let outcome = try await typist.type("Grüße, 世界!", into: window)
/// }
/// ```
///
/// No application tells when it has read its keys. A character counts as typed when the compositor has passed its keys on to
/// the window that had the focus then. One connection lives as long as the typist: where a keyboard goes away before an
/// application has read its keys, characters are lost.
public actor WaylandTypist: TextTyping {
    /// Keys between two looks at the focus. If the focus moves, at most so many characters go to the other window.
    private static let batch = 16
    /// How long the compositor may take to answer.
    private static let answerLimit: Duration = .seconds(5)
    /// How long it may take when the connection is made: a program waits for it at its start.
    private static let startLimit: Duration = .seconds(1)
    /// So many characters are sent at once, and the rest at one in a millisecond. A compositor ends the connection of an
    /// application that leaves more than about 8,000 characters unread (measured: sway 1.7 with foot), and so the application.
    private static let burst = 1000
    private static let pacedBatch: Duration = .milliseconds(16)

    // A killed typist leaves no key down and no map: the compositor removes its keyboard. It leaves no count either. What the
    // store was told last counts, and up to a batch more may have arrived.
    public nonisolated let unfinished: [TypingRecord] = []
    public nonisolated let unread: Set<String> = []
    public nonisolated var unsurePastes: Set<String> { Set([clipboard?.unsure].compactMap { $0 }) }
    public nonisolated let readings: AsyncStream<Void>

    /// The thread that it works on.
    private enum Place {
        case ownThread(ThreadExecutor)
        case beside(any TextTyping)
    }
    private nonisolated let place: Place
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        switch place {
        case .ownThread(let executor): executor.asUnownedSerialExecutor()
        case .beside(let companion): companion.unownedExecutor
        }
    }

    private let socket: String
    let connection: WaylandConnection
    private let seat: OpaquePointer
    let toplevels: Toplevels
    let keyboard: VirtualKeyboard
    private let events: EventThread
    /// By which texts are pasted; nil where the compositor gives no access to its clipboards.
    nonisolated let clipboard: WaylandClipboard?
    nonisolated let focusChanges = FocusChanges()

    /// Connects to a compositor.
    ///
    /// - Parameters:
    ///   - socket: the absolute path of its socket, as ``DisplaySession/waylandSocket(_:)`` gives it.
    ///   - companion: the typist on whose thread to work; nil for a thread of its own.
    ///   - clipboard: by which texts can be pasted.
    /// - Throws: ``WaylandError``, ``SystemError``
    public init(
        socket: String, beside companion: (any TextTyping)? = nil, clipboard: WaylandClipboard? = nil
    ) throws {
        self.clipboard = clipboard
        place = companion.map(Place.beside) ?? .ownThread(ThreadExecutor(name: "wayland-typist"))
        self.socket = socket
        let connection = try WaylandConnection(socket: socket, within: Self.startLimit)
        seat = try connection.bind("wl_seat", newest: 5, cwayland_bind_seat)
        toplevels = try Toplevels(connection, focusChanges: focusChanges, within: Self.startLimit)
        keyboard = try VirtualKeyboard(connection, seat: seat)
        try connection.roundTrip(within: Self.startLimit)
        self.connection = connection
        events = try EventThread(descriptor: connection.descriptor)
        let (readings, whenLost) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.readings = readings
        Task { [weak self, events] in
            for await _ in events.arrivals {
                guard let self, await self.handleEvents() else { break }
                events.goOn()
            }
            events.stop()
            // The next call says that the connection is lost.
            whenLost.yield()
        }
    }

    deinit { events.stop() }

    public func takeLateReadings() -> [TypingRecord] { [] }

    public func forgetUnfinished() { clipboard?.journal.note(pasting: nil) }

    /// - Throws: ``DesktopError/displayLost(name:)``
    public func getReady() throws { try look() }

    public func survey(_ text: String, options: TypingOptions, window: WindowInfo) -> TypingSurvey {
        TypingSurvey(characterCount: text.count, tellsReading: false, canPaste: clipboard != nil)
    }

    /// The window that has the keyboard focus; nil where none has, as while the session is locked.
    ///
    /// - Throws: ``WaylandError/notResponding``, ``DesktopError/displayLost(name:)``
    public func focusedWindow() throws -> WindowInfo? {
        try look()
        return toplevels.focused
    }

    /// Gives a window the focus.
    ///
    /// - Returns: whether it has it.
    public func activate(_ window: WindowInfo) throws -> Bool {
        toplevels.activate(window.id, seat: seat)
        return try focusedWindow()?.id == window.id
    }

    /// Types `text`, and stops where the focus moves. `record` is not kept: see ``unfinished``.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``, ``SystemError``, or what `progress` has thrown.
    public func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions = TypingOptions(),
        pace: Duration = .zero, record: TypingRecord? = nil,
        progress: @Sendable (TypingProgress) throws -> Void = { _ in }
    ) throws -> TypingOutcome {
        guard let window = try expected ?? focusedWindow() else { return .stopped(0, reason: .noFocus) }
        let steps = KeymapPlan(text, options: options, current: keyboard.keymap).steps
        defer { keyboard.release() }
        var typed = 0
        while typed < steps.count {
            let batch = steps[typed...].prefix(Self.batch)
            do {
                if let reason = try reasonToStop(typingInto: window) {
                    return .stopped(typed, reason: reason)
                }
                for step in batch {
                    if let keymap = step.keymap { try keyboard.use(keymap) }
                    step.strokes.forEach(keyboard.press)
                }
                keyboard.release()
                // Where the focus has moved meanwhile, the window may have got none of them.
                if let reason = try reasonToStop(typingInto: window) {
                    return .stopped(typed, reason: reason)
                }
            } catch WaylandError.notResponding {
                return .stopped(typed, reason: .notResponding)
            }
            typed += batch.count
            try progress(
                TypingProgress(
                    sent: typed, read: typed, route: InsertionRoute(.virtualKeyboard, isConfirmed: false)))
            // Nothing tells when the application has read its keys: only time keeps what it has not read within bounds.
            let pause = max(pace, typed >= Self.burst ? Self.pacedBatch : .zero)
            if pause > .zero, typed < steps.count { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
        }
        return .typed(steps.count)
    }

    func reasonToStop(typingInto window: WindowInfo) throws -> TypingOutcome.StopReason? {
        let focused = try focusedWindow()
        if focused?.id == window.id { return nil }
        guard toplevels.contains(window.id) else { return .windowClosed }
        return focused.map { .focusMoved(to: $0) } ?? .noFocus
    }

    /// Returns when the compositor has done all that it was asked, and its events up to then were handled.
    private func look() throws {
        do {
            try connection.roundTrip(within: Self.answerLimit)
        } catch WaylandError.lost {
            throw DesktopError.displayLost(name: socket)
        }
    }

    /// - Returns: false where the connection is lost.
    private func handleEvents() -> Bool { (try? connection.handleEvents()) != nil }
}
