import CLinux
import Foundation

/// Whether a file system keeps the promises that the store is built on: locks that all processes see, a shared memory
/// map, and notifications of what others write.
///
/// A network file system does not: another machine changes files without the kernel's knowledge, and its
/// locks are on another machine. One that is implemented by a user-space server (FUSE) may be anything;
/// sshfs, rclone and cloud drives look like local ones. So all of FUSE is refused except gocryptfs, which
/// encrypts a local folder, as whole homes are: everything goes through this machine's kernel, and all tests
/// of the store pass on it (`TMPDIR=MOUNT swift test --filter DictationSharedTests`, gocryptfs 2.3). On encfs
/// 1.9 they do not: what was removed while open stays in its folder under another name. Encryption in the
/// kernel (LUKS, fscrypt, eCryptfs) is not affected by this check.
enum FileSystemCheck {
    /// - Returns: the name of what cannot be used; nil when the file system of `path` can.
    static func unsuitableName(of path: String) -> String? {
        var fileSystem = statfs()
        guard statfs(path, &fileSystem) == 0 else { return nil }
        let type = Int(truncatingIfNeeded: fileSystem.f_type)
        if type == fuse {
            let name = mountedType(of: path)
            return name.map(suitableOnFUSE.contains) == true ? nil : name ?? "FUSE"
        }
        return unsuitable[type]
    }

    private static let fuse = 0x6573_5546
    private static let suitableOnFUSE: Set<String> = ["fuse.gocryptfs"]

    /// The numbers are those of statfs(2), linux/magic.h and the file systems' own sources.
    private static let unsuitable: [Int: String] = [
        0x6969: "NFS", 0x517B: "SMB", 0xFE53_4D42: "SMB 2", 0xFF53_4D42: "CIFS", 0x0102_1997: "9P",
        0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x00C3_6400: "Ceph", 0x564C: "NCP",
        0x7461_636F: "OCFS2", 0x0116_1970: "GFS2", 0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS",
        0x1983_0326: "BeeGFS", 0x2003_0528: "OrangeFS", 0xAAD7_AAEA: "PanFS",
        // Folders of the host of a virtual machine.
        0x786F_4256: "VirtualBox shared folders", 0xBACB_ACBC: "VMware shared folders",
        0x7C7C_6673: "Parallels shared folders", 0x00C0_FFEE: "hostfs",
        // These cannot keep a folder private, since they have no owners and modes.
        0x4D44: "FAT", 0x2011_BAB0: "exFAT",
    ]

    /// The type of a file system in mountinfo (proc(5)): `36 35 98:0 /root /mount options - type source …`.
    private static func mountedType(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0,
            let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        else { return nil }
        let device = "\(gnu_dev_major(status.st_dev)):\(gnu_dev_minor(status.st_dev))"
        for mount in mounts.split(separator: "\n") {
            let fields = mount.split(separator: " ")
            guard fields.count > 2, fields[2] == device, let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }
}
