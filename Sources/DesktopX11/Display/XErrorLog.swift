import CX11
import Glibc
import Synchronization

/// The errors that the X server reported on one connection, and whether that connection still lives.
///
/// Xlib has one error handler for the whole process, and the default one ends the process. Ours stores each error under
/// its connection, where the caller finds it by the request's serial number.
final class XErrorLog: Sendable {
    struct Entry: Equatable, Sendable {
        let serial: UInt
        let code: UInt8
    }

    /// Errors that nothing asks about (such as a window that has closed) are forgotten beyond this many.
    private static let capacity = 64

    private let entries = Mutex<[Entry]>([])
    private let lost = Atomic<Bool>(false)

    var isLost: Bool { lost.load(ordering: .acquiring) }

    func markLost() { lost.store(true, ordering: .releasing) }

    func append(_ entry: Entry) {
        entries.withLock {
            if $0.count == Self.capacity { $0.removeFirst() }
            $0.append(entry)
        }
    }

    /// Takes out the errors of the requests from `serial` on.
    func take(from serial: UInt) -> [Entry] {
        entries.withLock { all in
            let taken = all.filter { $0.serial >= serial }
            all.removeAll()
            return taken
        }
    }

    // MARK: The process-wide handlers

    private static let logs = Mutex<[UInt: XErrorLog]>([:])

    /// Once in a process, before the first connection.
    private static let handlersAreInstalled: Bool = {
        XInitThreads()
        // A request to a dead server is an error like any other, and must not end this process. The signal is handled,
        // not ignored: child processes would inherit that.
        signal(SIGPIPE) { _ in }
        XSetErrorHandler { display, event in
            guard let event else { return 0 }
            XErrorLog.of(display)?.append(Entry(serial: event.pointee.serial, code: event.pointee.error_code))
            return 0
        }
        // Without the default handler's message: the agent reports the lost display itself.
        XSetIOErrorHandler { display in
            if let log = XErrorLog.of(display) {
                log.markLost()
            } else {
                // The server went away inside XOpenDisplay. Xlib calls exit(3) next and cannot be kept from it, and that
                // would destroy what other threads work with. The agents end with this code for a lost display.
                let message: StaticString = "The X display went away while this program connected to it.\n"
                write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
                _exit(EX_UNAVAILABLE)
            }
            return 0
        }
        return true
    }()

    private static func of(_ display: OpaquePointer?) -> XErrorLog? {
        logs.withLock { $0[UInt(bitPattern: display)] }
    }

    static func installHandlers() { _ = handlersAreInstalled }

    func register(_ display: OpaquePointer) {
        Self.logs.withLock { $0[UInt(bitPattern: display)] = self }
        // After the handler above, Xlib would end the process. This handler returns, and every later request on the
        // connection does nothing.
        XSetIOErrorExitHandler(
            display,
            { display, bufferEnd in
                XErrorLog.of(display)?.markLost()
                cx11_reset_buffer(display, bufferEnd?.assumingMemoryBound(to: CChar.self))
            }, cx11_buffer_end(display))
    }

    static func forget(_ display: OpaquePointer) {
        _ = logs.withLock { $0.removeValue(forKey: UInt(bitPattern: display)) }
    }
}
