import Desktop
import DictationBus
import DictationSystem
import Synchronization

/// Puts text into the focused text field through the programs' interface for assistive technology (AT-SPI):
/// the way into native windows of GNOME and KDE, whose compositors let no program type.
///
/// ```swift
/// let typist = try AccessibleTypist()
/// if let window = try await typist.focusedWindow() {
///     let outcome = try await typist.type("Grüße, 世界!", into: window)
/// }
/// ```
///
/// A program carries out each piece itself, in the field that is named with it, and shows what it has then. So any character
/// is possible, nothing depends on the keyboard, and what counts has certainly arrived.
public actor AccessibleTypist: NativeTyping {
    /// How long a program may take to answer.
    private static let answerLimit: Duration = .seconds(5)

    // A killed typist leaves nothing to undo. The last count in the store is used, and one more piece may have
    // arrived.
    public nonisolated let unfinished: [TypingRecord] = []
    public nonisolated let unread: Set<String> = []
    public nonisolated let readings: AsyncStream<Void>

    private nonisolated let place: TypistPlace
    public nonisolated var unownedExecutor: UnownedSerialExecutor { place.executor }

    private nonisolated let session: Bus.Kind
    private let answerLimit: Duration
    /// Nil until it is needed, and if it has gone.
    private var bus: AccessibilityBus?
    /// The focus when it was asked for last.
    private var lastFocus: FocusedPart?
    /// The last piece that a program got, if it has not answered yet.
    private var openPiece: OpenPiece?
    private var lateReadings: [TypingRecord] = []
    /// Where the last text that was put into a field ended.
    private nonisolated let lastCaret = Mutex<CaretMark?>(nil)

    /// - Parameter companion: the typist on whose thread to work; nil for a separate thread.
    /// - Throws: ``BusError`` if the session has no accessibility bus.
    public init(beside companion: (any TextTyping)? = nil) throws {
        try self.init(session: .session, beside: companion, answerLimit: Self.answerLimit)
    }

    init(session: Bus.Kind, beside companion: (any TextTyping)? = nil, answerLimit: Duration) throws {
        place = TypistPlace(beside: companion, orOnThread: "accessible-typist")
        self.session = session
        self.answerLimit = answerLimit
        // A program that hung is asked when there is something to type.
        (readings, _) = AsyncStream.makeStream(of: Void.self)
        bus = try AccessibilityBus(session: session)
    }

    public func takeLateReadings() -> [TypingRecord] {
        defer { lateReadings = [] }
        return lateReadings
    }

    public func forgetUnfinished() {}

    public func getReady() throws { try settleOpenPiece() }

    public func survey(_ text: String, options: TypingOptions, window: WindowInfo) -> TypingSurvey {
        var survey = TypingSurvey(characterCount: text.count, canPaste: false)
        if let lastFocus, lastFocus.window.id == window.id, Self.takes(text, options, lastFocus) {
            survey.onlyCommits = lastFocus.commits
        }
        // It will be elsewhere when the text has come by another way.
        if survey.onlyCommits != nil { lastCaret.withLock { $0 = nil } }
        return survey
    }

    // MARK: The focus

    public nonisolated let seesEveryWindow = false

    /// The focused window; nil if there is none, or its program shows nothing to assistive technology.
    public func focusedWindow() throws -> WindowInfo? {
        lastFocus = try focusedPart()
        return lastFocus?.window
    }

    /// No compositor moves the focus for a program here.
    public func activate(_ window: WindowInfo) throws -> Bool { try focusedWindow()?.id == window.id }

    public nonisolated func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        let mark = lastCaret.withLock { $0 } ?? CaretMark(in: window, session: session)
        return mark.map { CaretWatch($0, session: session) }
    }

    private func focusedPart() throws -> FocusedPart? {
        try withBus { bus throws(BusError) in try FocusSearch(bus: bus).run() }
    }

    /// Connects again if the bus has gone: it may have been restarted.
    private func withBus<Result>(
        _ body: (AccessibilityBus) throws(BusError) -> Result
    ) throws -> Result {
        if let bus {
            do { return try body(bus) } catch { self.bus = nil }
        }
        let new = try AccessibilityBus(session: session)
        bus = new
        return try body(new)
    }

    private func reasonToStop(
        _ focus: FocusedPart, _ bus: AccessibilityBus
    ) throws -> TypingOutcome.StopReason? {
        let search = FocusSearch(bus: bus)
        switch try search.isUnchanged(focus, within: answerLimit) {
        case true?: return nil
        case nil: return .notResponding
        case false?:
            let now = try search.run()
            guard let now else { return .noFocus }
            return now.window.id == focus.window.id ? .fieldLeft : .focusMoved(to: now.window)
        }
    }

    // MARK: Typing

    /// - Throws: the error of `progress`, or ``BusError`` if the accessibility bus is gone.
    public func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions = TypingOptions(),
        pace: Duration = .zero, record: TypingRecord? = nil,
        progress: @Sendable (TypingProgress) throws -> Void = { _ in }
    ) throws -> TypingOutcome {
        guard let focus = try focusedPart() else { return .stopped(0, reason: .noFocus) }
        if let expected, focus.window.id != expected.id {
            return .stopped(0, reason: .focusMoved(to: focus.window))
        }
        guard focus.takesText || focus.commits != nil else { return .stopped(0, reason: .unreachable) }
        guard Self.takes(text, options, focus) else { return .stopped(0, reason: .noKeys) }
        guard focus.takesText else { return .stopped(0, reason: .unreachable) }
        if let record, openPiece?.record?.name == record.name {
            try settleOpenPiece()
            // Characters that arrived late are counted first.
            if openPiece != nil || !lateReadings.isEmpty { return .stopped(0, reason: .unsure) }
        }
        let (bus, field) = try field(of: focus)
        let run = InsertionRun(field: field, pace: pace) { try self.reasonToStop(focus, bus) }
        // A character that is left out counts with the one that it follows.
        let characters = text.map { options.plain(String($0)) ?? "" }
        lastCaret.withLock { $0 = nil }
        let result = try run.type(characters) { result in
            try progress(
                TypingProgress(
                    sent: result.count, read: result.count,
                    route: InsertionRoute(.accessibility, isConfirmed: result.isConfirmed)))
        }
        openPiece = result.open.map { piece in
            let end = text.prefix(result.count + piece.count).unicodeScalars.count
            return OpenPiece(
                object: focus.part, units: field.units, text: piece.text, place: piece.place,
                record: record.map { TypingRecord(text: $0.text, scalars: $0.scalars + end) })
        }
        let caret = try field.place().map { CaretMark(object: focus.part, units: field.units, place: $0) }
        lastCaret.withLock { $0 = caret }
        return result.stop.map { .stopped(result.count, reason: $0) } ?? .typed(result.count)
    }

    /// A piece whose arrival in its field is not yet known.
    private struct OpenPiece {
        let object: AccessibleObject
        let units: TextUnits
        let text: String
        /// Where it was put.
        let place: TextField.Place
        /// The text, with the piece counted; nil if it is not counted.
        let record: TypingRecord?
    }

    /// How long a program that hung may take to answer before a text for another one.
    private static let settlingLimit: Duration = .milliseconds(200)

    /// Asks the program for the state of the piece.
    private func settleOpenPiece() throws {
        guard let piece = openPiece else { return }
        let isThere = try withBus { bus throws(BusError) in
            try TextField(bus: bus, object: piece.object, units: piece.units, limit: Self.settlingLimit)
                .holds(piece.text, put: piece.place)
        }
        guard let isThere else { return }
        openPiece = nil
        if isThere, let record = piece.record { lateReadings.append(record) }
    }

    /// Whether a text needs no keys there.
    private static func takes(_ text: String, _ options: TypingOptions, _ focus: FocusedPart) -> Bool {
        guard let plain = options.plain(text) else { return false }
        return focus.takesLines || !plain.contains(where: \.isNewline)
    }

    private func field(of focus: FocusedPart) throws -> (AccessibilityBus, TextField) {
        guard let bus else {
            throw BusError(operation: "ask a program", name: "", reason: "the accessibility bus is gone")
        }
        let units = TextUnits(toolkit: focus.toolkit)
        return (bus, TextField(bus: bus, object: focus.part, units: units, limit: answerLimit))
    }

    // MARK: Undo

    public func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool? {
        try start(of: text, in: window).map { $0.start != nil }
    }

    public func undo(
        _ text: String, in window: WindowInfo, record: TypingRecord? = nil,
        removing: @Sendable (Int) -> Void = { _ in }
    ) async throws -> TypingOutcome {
        guard let found = try start(of: text, in: window) else { return .stopped(0, reason: .fieldLeft) }
        guard let start = found.start, let before = try found.field.place() else {
            return .stopped(0, reason: .notTaken)
        }
        let end = start + found.field.units.count(of: text)
        // The program removes all of it at once.
        removing(text.count)
        try found.field.remove(from: start, to: end)
        guard let after = try found.field.place() else { return .stopped(0, reason: .notResponding) }
        return after.length == before.length - (end - start)
            ? .typed(text.count) : .stopped(0, reason: .notTaken)
    }

    /// Where a text right before the caret begins.
    ///
    /// - Returns: nil if the window has no text field with the focus.
    private func start(of text: String, in window: WindowInfo) throws -> (field: TextField, start: Int?)? {
        guard let focus = try focusedPart(), focus.window.id == window.id, focus.takesText else { return nil }
        let (_, field) = try field(of: focus)
        guard let place = try field.place() else { return nil }
        let start = place.caret - field.units.count(of: text)
        guard start >= 0, try field.text(from: start, to: place.caret) == text else { return (field, nil) }
        return (field, start)
    }
}
