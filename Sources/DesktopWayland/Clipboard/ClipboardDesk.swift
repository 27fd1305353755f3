import Desktop
import DictationSystem
import Foundation
import Glibc

/// The clipboard's work on its thread.
final class ClipboardDesk {
    private let connection: WaylandConnection
    private let control: DataControl
    private let journal: ClipboardJournal
    private var transfers: [ClipboardTransfer] = []
    /// Formats that were asked for and took too long.
    private var abandoned: [Descriptor] = []

    /// - Throws: ``WaylandError``
    init(socket: String, journal: ClipboardJournal) throws {
        connection = try WaylandConnection(socket: socket)
        control = try DataControl(connection)
        self.journal = journal
    }

    /// Serves the programs that paste, until it is woken.
    ///
    /// - Throws: ``WaylandError``, ``SystemError``
    func serve(until wakeUp: WakeUp) throws {
        while true {
            try connection.handleEvents()
            transfers.removeAll(where: \.isOver)
            let reading = [connection.descriptor, wakeUp.raw] + abandoned.map(\.raw)
            var entries = reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            entries += transfers.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            try retryingInterrupted("poll") { poll(&entries, nfds_t(entries.count), -1) }
            for (transfer, entry) in zip(transfers, entries.dropFirst(reading.count)) where entry.revents != 0
            {
                transfer.goOn(isWritable: entry.revents & Int16(POLLOUT) != 0)
            }
            let ready = Set(entries[2..<reading.count].filter { $0.revents != 0 }.map(\.fd))
            abandoned.removeAll { ready.contains($0.raw) && ClipboardReader.isAtEnd($0) }
            if entries[1].revents != 0 {
                wakeUp.clear()
                return
            }
        }
    }

    // MARK: Contents

    /// The earlier contents; nil for none.
    typealias Former = [Selection: ClipboardContent?]

    /// - Parameter wanted: those that the compositor gives no access to are left out.
    /// - Throws: ``ClipboardReader/Unreadable``, ``WaylandError``, ``SystemError``
    func read(_ wanted: [Selection]) throws -> Former {
        try connection.roundTrip()
        let reader = ClipboardReader(connection: connection) { self.abandoned.append($0) }
        var former: Former = [:]
        for selection in wanted where control.selections.contains(selection) {
            // A content that is held here would be asked of this thread.
            former[selection] = .some(
                try control.holding(selection)?.content ?? control.offer(selection).map(reader.read))
        }
        return former
    }

    /// - Returns: whether it is there.
    /// - Throws: ``WaylandError``
    func set(_ content: ClipboardContent?, as selection: Selection) throws {
        control.set(content.map { Held($0, desk: self) }, as: selection)
        try connection.roundTrip()
    }

    // MARK: Pasting

    /// Puts a text on the clipboards whose former content is known.
    ///
    /// - Throws: ``WaylandError``
    func offer(_ passing: PassingText, over former: Former) throws {
        for selection in former.keys { control.set(Passing(passing, desk: self), as: selection) }
        try connection.roundTrip()
    }

    /// Restores the clipboards, except those that another program has changed since.
    ///
    /// - Parameter silence: until when no program gets it: one that asks would paste it in place of another
    ///   text.
    /// - Throws: ``WaylandError``
    func putBack(_ former: Former, silentUntil silence: ContinuousClock.Instant?) throws {
        try connection.roundTrip()
        for (selection, content) in former where control.holding(selection) is Passing {
            control.set(content.map { Held($0, desk: self, silentUntil: silence) }, as: selection)
        }
        try connection.roundTrip()
    }

    // MARK: Copying

    /// The last selection of any window.
    enum LastSelection: Equatable, Sendable {
        /// The compositor does not report it.
        case unknown
        case none
        case text(String)
        case unreadable
    }

    /// - Throws: ``WaylandError``, ``SystemError``
    func lastSelection() throws -> LastSelection {
        try connection.roundTrip()
        guard control.selections.contains(.primary) else { return .unknown }
        if let held = control.holding(.primary)?.content { return held.text.map(LastSelection.text) ?? .none }
        guard control.offer(.primary) != nil else { return .none }
        return try offeredText(.primary).map(LastSelection.text) ?? .unreadable
    }

    /// Owns the current content of the clipboard, so that a copy is noticed.
    ///
    /// - Throws: ``WaylandError``
    func stand(for former: ClipboardContent?, _ watch: CopyWatch) throws {
        control.set(Standing(former ?? ClipboardContent(), watch, desk: self), as: .clipboard)
        try connection.roundTrip()
    }

    /// The text that another program has on a clipboard; nil if it is not text, or cannot be read.
    ///
    /// - Throws: ``WaylandError``, ``SystemError``
    func offeredText(_ selection: Selection) throws -> String? {
        try connection.roundTrip()
        guard let offer = control.offer(selection),
            let type = ClipboardContent.textTypes.first(where: offer.types.contains)
        else { return nil }
        let reader = ClipboardReader(connection: connection, sizeLimit: SelectedText.sizeLimit) {
            self.abandoned.append($0)
        }
        do {
            return try reader.read(offer, [type]).text
        } catch is ClipboardReader.Unreadable {
            return nil
        }
    }

    /// Restores the content from before a copy.
    ///
    /// - Parameter isCopied: whether a window has copied something. Otherwise another program may have, and
    ///   its content stays.
    /// - Throws: ``WaylandError``
    func putBack(_ former: ClipboardContent?, behindCopy isCopied: Bool) throws {
        try connection.roundTrip()
        guard isCopied || control.holding(.clipboard) is Standing else { return }
        control.set(former.map { Held($0, desk: self) }, as: .clipboard)
        try connection.roundTrip()
        noteHoldings()
    }

    /// Restores the content that a killed process has not restored, if nothing else was copied since.
    ///
    /// - Parameter copied: when that process asked a window to copy its selection.
    /// - Throws: ``WaylandError``, ``SystemError``
    func restore(_ former: [Selection: ClipboardContent], copied: Date?) throws {
        let isLeftCopy = try copied.map(isCopyOfSelection) ?? false
        for (selection, content) in former
        where control.holding(selection) == nil
            && (control.offer(selection) == nil || selection == .clipboard && isLeftCopy)
        {
            control.set(Held(content, desk: self), as: selection)
        }
        try connection.roundTrip()
        noteHoldings()
    }

    /// Whether the clipboard has what a window was asked for: the last selection, to the byte, and so soon
    /// that the user has not copied it again.
    private func isCopyOfSelection(askedFor asked: Date) throws -> Bool {
        guard (0...PasteLimits.leftCopy).contains(Date().timeIntervalSince(asked)),
            case .text(let selected) = try lastSelection(), let text = try offeredText(.clipboard)
        else { return false }
        return text.utf8.elementsEqual(selected.utf8)
    }

    /// Contents that are held here would be lost with this process.
    private func noteHoldings() {
        journal.note(
            Dictionary(
                uniqueKeysWithValues: control.selections.compactMap { selection in
                    (control.holding(selection) as? Held).map { (selection, $0.content) }
                }))
    }

    fileprivate func give(_ data: Data, into pipe: Int32, whenRead: (() -> Void)? = nil) {
        transfers.append(ClipboardTransfer(data, into: pipe, whenRead: whenRead))
    }

    /// Content that stays until something else is copied.
    private final class Held: DataControl.Holding {
        let content: ClipboardContent
        private let silence: ContinuousClock.Instant?
        private weak var desk: ClipboardDesk?

        init(
            _ content: ClipboardContent, desk: ClipboardDesk,
            silentUntil silence: ContinuousClock.Instant? = nil
        ) {
            self.content = content
            self.desk = desk
            self.silence = silence
        }

        func wanted(_ type: String, into pipe: Int32) {
            let isSilent = silence.map { .now < $0 } ?? false
            desk?.give(isSilent ? Data() : content.data(for: type) ?? Data(), into: pipe)
        }

        func replaced(on selection: Selection) { desk?.noteHoldings() }
    }

    /// The former content of the clipboard, while a copy is awaited.
    private final class Standing: DataControl.Holding {
        let content: ClipboardContent
        private let watch: CopyWatch
        private weak var desk: ClipboardDesk?

        init(_ content: ClipboardContent, _ watch: CopyWatch, desk: ClipboardDesk) {
            self.content = content
            self.watch = watch
            self.desk = desk
        }

        func wanted(_ type: String, into pipe: Int32) {
            desk?.give(content.data(for: type) ?? Data(), into: pipe)
        }

        func replaced(on selection: Selection) { watch.replaced() }
    }

    /// A text that is there for a moment.
    private final class Passing: DataControl.Holding {
        private let passing: PassingText
        private weak var desk: ClipboardDesk?
        let content: ClipboardContent

        init(_ passing: PassingText, desk: ClipboardDesk) {
            self.passing = passing
            self.desk = desk
            content = passing.content
        }

        func wanted(_ type: String, into pipe: Int32) {
            let data = content.data(for: type) ?? Data()
            guard ClipboardContent.isContent(type), !data.isEmpty else {
                desk?.give(data, into: pipe)
                return
            }
            let reader = passing.asked(by: pipe)
            desk?.give(data, into: pipe) { [passing] in passing.read(by: reader) }
        }

        func replaced(on selection: Selection) { passing.replaced() }
    }
}
