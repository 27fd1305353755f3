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
