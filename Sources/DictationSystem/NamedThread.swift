import CLinux
import Foundation

/// Starts a thread that ends when `body` returns.
///
/// - Parameter name: shown by `top -H` and debuggers; the kernel keeps 15 bytes.
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    Thread {
        // The thread names itself: a name that is set from outside may come after its first work, or never.
        clinux_name_thread(name)
        body()
    }.start()
}

/// Runs blocking work on a separate thread: the threads of the tasks are too few for that.
///
/// - Parameter name: see ``startThread(named:_:)``.
/// - Returns: what `body` returns. A canceled task waits for it as well.
public func onThread<Value: Sendable>(
    named name: String, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        startThread(named: name) { continuation.resume(returning: body()) }
    }
}
