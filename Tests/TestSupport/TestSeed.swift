import Foundation

/// The seed of a test's random numbers: a new one in each run, unless `TEST_SEED` names one to
/// repeat. A test that uses it prints it.
public enum TestSeed {
    public static func next() -> UInt64 {
        ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
    }
}
