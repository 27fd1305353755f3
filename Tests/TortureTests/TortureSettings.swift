import Foundation

/// The values that `make torture` sets by the environment; the defaults are those of `make test-all`; `make test`
/// has fewer (`EXTENT` in `Tests/run`).
enum TortureSettings {
    /// The seed of the random numbers: a new one in each run, unless one is given.
    static let seed = number("TORTURE_SEED") ?? UInt64.random(in: 0...999_999)
    /// How often both agents are tortured with kills.
    static let cycles = Int(number("TORTURE_CYCLES") ?? 200)

    /// How many lives of a store the power ends.
    static let lives = number("TORTURE_LIVES") ?? 4

    /// Whether the window stalls in every cycle, and not in one of 33.
    static let standsStill = number("TORTURE_STANDSTILL") == 1

    /// Whether every cycle mends or edits a text, and not one of four of those whose window does not stall.
    static let removes = number("TORTURE_BACKSPACES") == 1

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

/// A figure that a test has measured, in the log of the test run.
func report(_ line: String) {
    print("torture: \(line)")
    fflush(nil)
}

/// Does long work in a separate thread: the threads on which tests await are as few as the cores. It has the
/// lowest priority, because it only computes; other tests depend on real time.
func inThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            // Of this thread alone (setpriority(2)); without it all is the same, if later.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, lowestPriority)
            continuation.resume(with: Result { try work() })
        }
    }
}

/// The lowest priority of nice(1) and setpriority(2).
let lowestPriority: Int32 = 19
