import Foundation

/// Where the random numbers of a test begin: at another place in each run, unless `TEST_SEED` names one that is to be
/// repeated. A test that uses it says which it was.
public enum TestSeed {
    public static func next() -> UInt64 {
        ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
    }
}
