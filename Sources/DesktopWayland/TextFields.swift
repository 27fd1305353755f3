import Desktop
import DictationSystem

/// Asks for the text field that has the focus. For one thread.
///
/// A compositor announces the input method to an application only when there is one, and then waits for its
/// answer; an application that knows no input methods gives none. So the first text into a window waits for
/// it, and windows that have not answered, or show no text, are remembered.
final class TextFields {
    let method: InputMethod
    private let connection: WaylandConnection
    private let limit: Duration
    /// How long a window may take that has not answered before: maybe another part of it had the focus.
    private static let secondLimit: Duration = .milliseconds(5)
    /// How long the compositor may take to give the seat away.
    private static let releaseLimit: Duration = .seconds(1)
    private var unanswered: Set<UInt64> = []
    private var showNothing: Set<UInt64> = []
    /// Those that report the cause of changes of their text.
    private var telling: Set<UInt64> = []

    /// Nil if the compositor has no input methods.
    ///
    /// - Throws: ``WaylandError``
    init?(_ connection: WaylandConnection, seat: OpaquePointer, limit: Duration) throws {
        guard connection.offers(InputMethod.interface) else { return nil }
        method = try InputMethod(connection, seat: seat)
        self.connection = connection
        self.limit = limit
    }

    /// Takes the seat, unless the window is known to show no text, and says what the field is. It stays taken
    /// if the field shows text, until ``release()``.
    ///
    /// - Parameter least: the shortest time that the application gets.
    /// - Throws: ``WaylandError/lost``
    func look(in window: WindowInfo, atLeast least: Duration) throws -> NativeChoice.Field {
        if showNothing.contains(window.id) { return .showsNothing }
        method.take()
        let usual = unanswered.contains(window.id) ? min(Self.secondLimit, limit) : limit
        let limit = max(usual, least)
        let isAnswered = try connection.wait(within: limit) { method.isTaken || method.state.isActive }
        let field = field(of: window, isAnswered: isAnswered)
        switch field {
        case .showsText: unanswered.remove(window.id)
        case .showsNothing: if method.state.surrounding == nil { showNothing.insert(window.id) }
        case .missing: unanswered.insert(window.id)
        case .notOurs: break
        }
        if field != .showsText { release() }
        return field
    }

    /// Whether another input method has the seat, as of now. One that grabs the keyboard, as fcitx does, gets the keys of ours as
    /// well, and turns them into other text.
    ///
    /// - Parameter window: the focused one. Its field gets the time to answer: an answer that comes when the seat was given
    ///   back and taken again would count for the second time, and the field would then seem to be left.
    /// - Throws: ``WaylandError``
    func isSeatTaken(in window: WindowInfo) throws -> Bool {
        // Ours, while an answer is waited for.
        guard !method.isHeld else { return method.isTaken }
        method.take()
        defer { release() }
        try connection.roundTrip()
        if !method.isTaken, !unanswered.contains(window.id), !showNothing.contains(window.id) {
            let isAnswered = try connection.wait(within: limit) { method.isTaken || method.state.isActive }
            if !isAnswered { unanswered.insert(window.id) }
        }
        return method.isTaken
    }

    private func field(of window: WindowInfo, isAnswered: Bool) -> NativeChoice.Field {
        if method.isTaken { return .notOurs }
        guard isAnswered else { return .missing }
        guard method.state.surrounding != nil else { return .showsNothing }
        // A field first reports that its content has not come from us. A window that never does so reports no
        // changes either: Chromium shows an empty field, and still shows it after text has come.
        if !method.state.isOurChange { telling.insert(window.id) }
        return telling.contains(window.id) ? .showsText : .showsNothing
    }

    /// Gives the seat back. When this returns, another input method can have it, if the compositor answers at all.
    func release() {
        guard method.isHeld else { return }
        method.release()
        _ = try? connection.roundTrip(within: Self.releaseLimit)
    }
}
