import CLinux
import Glibc

extension Descriptor {
    /// A file in memory that has no name on any disk and is gone with its last descriptor, such as for a child's standard
    /// input. It is at its beginning.
    ///
    /// - Throws: ``SystemError``.
    public static func memoryFile(holding text: String) throws -> Descriptor {
        let file = try Descriptor.opening("make a file in memory") {
            memfd_create("voicedictation", UInt32(MFD_CLOEXEC))
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = try retryingInterrupted("write a file in memory") {
                rest.withUnsafeBytes { write(file.raw, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
        lseek(file.raw, 0, SEEK_SET)
        return file
    }
}
