import Glibc

/// Runs `body` while no other program that uses this lock does, so that a file does not change between
/// reading and writing it. Waits for its turn, which is short. The lock ends with the program at the latest.
///
/// - Throws: ``SystemError`` if the folder cannot be opened or locked, and what the body throws.
public func withFolderLocked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
    let descriptor = try Descriptor.opening("open \(folder)") {
        open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    try descriptor.lock("lock \(folder)")
    defer { descriptor.unlock() }
    return try body()
}
