import CLinux
import Glibc

extension Descriptor {
    /// Makes sure that the file can grow to `end` bytes: takes the space from the disk, and leaves the file's size as it
    /// is. File systems that cannot reserve space do nothing, and that is not an error.
    ///
    /// - Throws: ``SystemError``.
    public func reserveSpace(upTo end: Int) throws {
        do {
            try retryingInterrupted("reserve space") { fallocate(raw, FALLOC_FL_KEEP_SIZE, 0, off_t(end)) }
        } catch let error as SystemError where [EOPNOTSUPP, ENOSYS, EINVAL].contains(error.code) {
        }
    }

    /// Releases what was reserved beyond `size`, which is also the size that the file has afterward.
    public func releaseSpace(beyond size: Int) {
        // Some file systems take a change to the same size for none: so there is one, of a byte. If it fails, the
        // space comes back when the file goes.
        _ = ftruncate(raw, off_t(size + 1))
        _ = ftruncate(raw, off_t(size))
    }
}
