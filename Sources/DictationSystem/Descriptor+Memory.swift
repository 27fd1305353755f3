import CLinux
import Glibc

extension Descriptor {
    /// A file in memory that is shared with another process: `size` bytes, all zero.
    ///
    /// - Throws: ``SystemError``.
    public static func memoryFile(size: Int) throws -> Descriptor {
        let file = try Descriptor.opening("make a file in memory") {
            memfd_create("voicedictation", UInt32(MFD_CLOEXEC))
        }
        try retryingInterrupted("set the size of a file in memory") { ftruncate(file.raw, off_t(size)) }
        return file
    }

    /// A file in memory that has no name on any disk and is gone with its last descriptor, such as for a child's standard
    /// input. It is at its beginning.
    ///
    /// - Throws: ``SystemError``.
    public static func memoryFile(holding text: String) throws -> Descriptor {
        let file = try Descriptor.opening("make a file in memory") {
            memfd_create("voicedictation", UInt32(MFD_CLOEXEC))
        }
        try file.writeAll(Array(text.utf8), "write a file in memory")
        lseek(file.raw, 0, SEEK_SET)
        return file
    }
}
