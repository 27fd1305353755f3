import Foundation
import Synchronization

/// Counts calls, from 1.
final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// The bytes that have come so far.
final class Received: Sendable {
    private let bytes = Mutex(Data())
    func add(_ new: [UInt8]) { bytes.withLock { $0.append(contentsOf: new) } }
    var data: Data { bytes.withLock { $0 } }
}
