import CLinux
import DictationSystem
import Foundation
import Glibc

/// One process at a time installs a model: the one that holds the lock of the hidden folder in which it is
/// made. A lock leaves no file behind, and the kernel releases it when the process ends.
extension ModelStore {
    /// The part of the folder of an unfinished model that is removed if its installation was interrupted.
    static let unpackedName = ".unpacked"
    static let madeName = ".model"
    /// The archive of a model there.
    static let archiveName = ".archive"

    struct Lock {
        fileprivate let descriptor: Descriptor
        fileprivate let path: String
    }

    /// - Throws: ``ModelError/busy(name:)``, ``ModelError/cannotWrite(path:reason:)``.
    func lock(_ name: String) throws(ModelError) -> Lock {
        removeBrokenOff()
        let path = path(part(name))
        while true {
            try makeFolder(part(name))
            guard let lock = Self.lock(path) else { throw .busy(name: name) }
            if lock.isOf(path) { return lock }
            // It has got its name meanwhile, or was removed: there is a new one to make.
        }
    }

    func unlock(_ lock: Lock) {
        // Only an empty folder goes; a partial download stays.
        if lock.isOf(lock.path) { rmdir(lock.path) }
        lock.descriptor.unlock()
    }

    private static func lock(_ path: String) -> Lock? {
        guard
            let descriptor = try? Descriptor.opening(
                "open \(path)", { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }),
            descriptor.tryLock()
        else { return nil }
        return Lock(descriptor: descriptor, path: path)
    }

    /// Removes the unfinished work of processes that ended in the middle, except downloads, which can be
    /// continued.
    private func removeBrokenOff() {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: path(folder))) ?? [] where name.hasPrefix(".") {
            let place = path(folder.appending(path: name))
            if name.hasSuffix(".lock") || name.hasSuffix(".local") {
                // Of former versions.
                try? manager.removeItem(atPath: place)
            } else if name.hasSuffix(".part"), let lock = Self.lock(place) {
                for begun in [Self.unpackedName, Self.madeName] {
                    try? manager.removeItem(atPath: place + "/" + begun)
                }
                unlock(lock)
            }
        }
    }
}

extension ModelStore.Lock {
    /// Whether it is still the lock of the folder that has this path now.
    fileprivate func isOf(_ path: String) -> Bool {
        var (locked, there) = (stat(), stat())
        return fstat(descriptor.raw, &locked) == 0 && stat(path, &there) == 0
            && locked.st_ino == there.st_ino && locked.st_dev == there.st_dev
    }
}
