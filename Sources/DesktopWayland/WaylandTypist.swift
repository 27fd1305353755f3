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
/// If the focused text field shows its text (text-input-v3), it gets a text from the input method of the
/// seat, and a character counts when the field shows it. In all other cases it goes as keys of a virtual
/// keyboard. No application reports when it has read those: a character counts when the compositor has passed
/// its keys on to the window that had the focus then. ``NativeChoice`` decides. One connection lives as long
/// as the typist: if a keyboard goes away before an application has read its keys, characters are lost.
public actor WaylandTypist: NativeTyping {
    // A killed typist leaves no key down, no map and no input method: the compositor removes them. It leaves no count either.
    // The store's last count is used, and up to a batch or a piece more may have arrived.
    public nonisolated var unfinished: [TypingRecord] { [] }
    public nonisolated var unread: Set<String> { [] }
    public nonisolated var unsurePastes: Set<String> { Set([clipboard?.unsure].compactMap { $0 }) }
    nonisolated let news = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    public nonisolated var readings: AsyncStream<Void> { news.stream }

    private nonisolated let place: TypistPlace
    public nonisolated var unownedExecutor: UnownedSerialExecutor { place.executor }

    let answerLimit: Duration
    let connection: WaylandConnection
    private let seat: Seat
    let toplevels: Toplevels
    let keyboard: VirtualKeyboard
    let fields: TextFields?
    /// Windows whose applications may not know our keyboard: the seat had none, and they were there before ours.
    var unaware: Set<UInt64>
    private let events: EventThread
    /// Pastes texts; nil if the compositor gives no access to its clipboards.
    nonisolated let clipboard: WaylandClipboard?
    nonisolated let focusChanges = FocusChanges()
    var openPieces = OpenPieces()

    /// Connects to a compositor.
    ///
    /// - Parameters:
    ///   - socket: the absolute path of its socket, as ``DisplaySession/waylandSocket(_:)`` gives it.
    ///   - companion: the typist on whose thread to work; nil for a separate thread.
    ///   - clipboard: by which texts can be pasted.
    ///   - fieldLimit: how long an application may take to say that it has a text field. One without input
    ///     methods never does, and each new window of it costs this time.
    ///   - answerLimit: how long an application may take to read its keys, or to show what was given to its field.
    /// - Throws: ``WaylandError``, ``SystemError``
    public init(
        socket: String, beside companion: (any TextTyping)? = nil, clipboard: WaylandClipboard? = nil,
        fieldLimit: Duration = .milliseconds(100), answerLimit: Duration = .seconds(5)
    ) throws {
        self.answerLimit = answerLimit
        self.clipboard = clipboard
        place = TypistPlace(beside: companion, orOnThread: "wayland-typist")
        let connection = try WaylandConnection(socket: socket)
        seat = try Seat(connection)
        toplevels = try Toplevels(
            connection, focusChanges: focusChanges, within: WaylandConnection.answerLimit)
        keyboard = try VirtualKeyboard(connection, seat: seat.pointer)
        fields = try TextFields(connection, seat: seat.pointer, limit: fieldLimit)
        try connection.roundTrip()
        unaware = seat.lackedKeyboard ? toplevels.all : []
        self.connection = connection
        events = try EventThread(descriptor: connection.descriptor, named: "wayland-events")
        Task { [weak self, events, news] in
            for await _ in events.arrivals {
                guard let self, await self.handleEvents() else { break }
                events.goOn()
            }
            events.stop()
            // The next call says that the connection is lost.
            news.continuation.yield()
        }
    }

    deinit { events.stop() }

    /// - Throws: ``DesktopError/displayLost(name:)``
    public func getReady() throws {
        try look()
        // A request for the rest of a text first gets what was read of it.
        guard openPieces.watched == nil, let focused = toplevels.focused else { return }
        _ = try tellingLoss { try settlePiece(in: focused, within: .zero) }
    }

    /// - Throws: ``DesktopError/displayLost(name:)``
    public func survey(_ text: String, options: TypingOptions, window: WindowInfo) throws -> TypingSurvey {
        let lost = NativeChoice.lostCharacters(of: text, windowClass: window.windowClass)
        var survey = TypingSurvey(
            characterCount: text.count, tellsReading: false,
            hasInputMethod: try tellingLoss { try fields?.isSeatTaken(in: window) ?? false },
            canPaste: clipboard != nil,
            pressesKeys: true)
        guard lost > 0 || unaware.contains(window.id) else { return survey }
        let field = try tellingLoss { try self.field(of: window) }
        releaseField()
        // A paste reports whether it has arrived.
        if unaware.contains(window.id) { survey.untypable = text.count }
        guard lost > 0 else { return survey }
        let choice = NativeChoice(text, options: options, windowClass: window.windowClass, field: field)
        if choice.way != .commit { survey.untypable = lost }
        return survey
    }

    public nonisolated let seesEveryWindow = true

    /// The window that has the keyboard focus; nil if none has, as while the session is locked.
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
        toplevels.activate(window.id, seat: seat.pointer)
        return try focusedWindow()?.id == window.id
    }

    /// Types `text`, and stops if the focus moves. A killed typist leaves no `record`: see ``unfinished``.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``, ``SystemError``, or what `progress` has thrown.
    public func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions = TypingOptions(),
        pace: Duration = .zero, record: TypingRecord? = nil,
        progress: @Sendable (TypingProgress) throws -> Void = { _ in }
    ) throws -> TypingOutcome {
        guard let window = try expected ?? focusedWindow() else { return .stopped(0, reason: .noFocus) }
        defer { releaseField() }
        do {
            if let reason = try reasonToStop(typingInto: window) { return .stopped(0, reason: reason) }
            openPieces.forget(record, except: window.id)
            if openPieces.hold(record, in: window.id) {
                _ = try settlePiece(in: window, within: answerLimit)
                // Characters that were read late are counted first.
                if openPieces.hold(record, in: window.id) { return .stopped(0, reason: .notResponding) }
            }
            // A text that needs keys does not ask for the text field.
            let field =
                NativeChoice.needsKeys(text, options: options) && !unaware.contains(window.id)
                ? .missing : try self.field(of: window)
            if unaware.contains(window.id) { return .stopped(0, reason: .keyboardUnknown) }
            switch NativeChoice(text, options: options, windowClass: window.windowClass, field: field).way {
            case .hold(let reason): return .stopped(0, reason: reason)
            case .keys:
                return try press(text, into: window, options: options, pace: pace, progress: progress)
            case .commit:
                return try commit(
                    text, into: window, options: options, pace: pace, record: record, progress: progress)
            }
        } catch WaylandError.lost {
            throw DesktopError.displayLost(name: connection.socket)
        }
    }

    /// - Parameter done: how many characters are there already.
    private func press(
        _ text: String, into window: WindowInfo, options: TypingOptions, pace: Duration, after done: Int = 0,
        progress: @Sendable (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        let route = InsertionRoute(.virtualKeyboard, isConfirmed: false)
        let run = KeyRun(
            keyboard: keyboard, socket: connection.socket, limit: answerLimit, pace: pace
        ) {
            try self.reasonToStop(typingInto: window)
        }
        let outcome = try run.type(text, options: options) { count in
            try progress(TypingProgress(sent: done + count, read: done + count, route: route))
        }
        switch outcome {
        case .typed(let count): return .typed(done + count)
        case .stopped(let count, let reason): return .stopped(done + count, reason: reason)
        }
    }

    private func commit(
        _ text: String, into window: WindowInfo, options: TypingOptions, pace: Duration,
        record: TypingRecord?,
        progress: @Sendable (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        guard let fields else { return .stopped(0, reason: .fieldLeft) }
        let run = CommitRun(
            connection: connection, method: fields.method, pace: pace, limit: answerLimit
        ) {
            try self.reasonToStop(typingInto: window)
        }
        // A character that is left out counts with the one that it follows.
        let characters = text.map { options.plain(String($0)) ?? "" }
        let result = try run.type(characters) { result in
            try progress(
                TypingProgress(
                    sent: result.count, read: result.count,
                    route: InsertionRoute(.inputMethod, isConfirmed: result.isConfirmed)))
        }
        if let piece = result.open {
            // Characters of a text that are left out, such as control characters, are there as well.
            let end = text.prefix(result.count + piece.count).unicodeScalars.count
            waitForAnswer(
                to: OpenPiece(
                    window: window.id, text: piece.text, before: piece.before,
                    record: record.map { TypingRecord(text: $0.text, scalars: $0.scalars + end) }))
        }
        if let reason = result.stop { return .stopped(result.count, reason: reason) }
        if result.count == characters.count { return .typed(result.count) }
        // The field can no longer show what arrives.
        fields.release()
        return try press(
            String(text.dropFirst(result.count)), into: window, options: options, pace: pace,
            after: result.count, progress: progress)
    }

    // MARK: The focus

    public nonisolated func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        FocusTouch(focusChanges)
    }

    func reasonToStop(typingInto window: WindowInfo) throws -> TypingOutcome.StopReason? {
        let focused: WindowInfo?
        do {
            focused = try focusedWindow()
        } catch WaylandError.notResponding {
            return .notResponding
        }
        if focused?.id == window.id { return nil }
        guard toplevels.contains(window.id) else { return .windowClosed }
        return focused.map { .focusMoved(to: $0) } ?? .noFocus
    }

    /// Returns when the compositor has done all that it was asked, and its events up to then were handled.
    private func look() throws {
        try tellingLoss { try connection.roundTrip() }
        // No other code sees the events that were handled here.
        hearAnswer()
    }

    func tellingLoss<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch WaylandError.lost {
            throw DesktopError.displayLost(name: connection.socket)
        }
    }

    /// - Returns: false if the connection is lost.
    private func handleEvents() -> Bool {
        guard (try? connection.handleEvents()) != nil else { return false }
        hearAnswer()
        return true
    }
}
