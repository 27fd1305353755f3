import Foundation

/// A call that libcallrecorder has written down.
public enum RecordedCall: Sendable {
    case write(file: String, offset: Int, bytes: Data)
    case truncate(file: String, length: Int)
    /// All that was done to the file until now is on the disk.
    case sync(file: String)
    case unlink(file: String)
    case sleep(microseconds: Int)

    public struct Damaged: Error, CustomStringConvertible {
        let path: String
        public var description: String { "The log of system calls \(path) cannot be read." }
    }

    /// `call_record_t` in CallRecorder.h, which is not linked here: it would record this process.
    private struct Head: BitwiseCopyable {
        let kind: UInt32
        let nameLength: UInt32
        let offset: UInt64
        let length: UInt64
    }

    /// The environment with which a program's calls are recorded.
    ///
    /// - Parameters:
    ///   - folder: whose files are recorded; nil for the sleeps alone.
    ///   - diskRefuses: makes fdatasync(2) fail for these files, as on a broken disk.
    ///   - diskGate: the path of a named pipe. While it is there, fdatasync(2) of the store's log returns
    ///     only when a process has it open for writing, as on a disk that is slow.
    public static func environment(
        log: String, folder: String? = nil, diskRefuses: Bool = false, diskGate: String? = nil
    ) -> [String: String] {
        // By name and not by path: a space in a path would end it.
        var variables = [
            "LD_PRELOAD": "libcallrecorder.so", "LD_LIBRARY_PATH": BuildFolder.path, "CALL_RECORDER_LOG": log,
        ]
        variables["CALL_RECORDER_FOLDER"] = folder
        variables["CALL_RECORDER_DISK_GATE"] = diskGate
        if diskRefuses { variables["CALL_RECORDER_DISK_REFUSES"] = "1" }
        return variables
    }

    /// All of a log, in order.
    public static func all(in path: String) throws -> [RecordedCall] {
        // A process that has done nothing of interest leaves an empty log.
        let log = try Data(contentsOf: URL(fileURLWithPath: path))
        var calls: [RecordedCall] = []
        var offset = 0
        while offset < log.count {
            guard offset + MemoryLayout<Head>.size <= log.count else { throw Damaged(path: path) }
            let head = log.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Head.self) }
            let data = offset + MemoryLayout<Head>.size + Int(head.nameLength)
            let end = data + (head.kind == 1 ? Int(head.length) : 0)
            guard end <= log.count else { throw Damaged(path: path) }
            let file = String(
                decoding: log[offset + MemoryLayout<Head>.size..<data], as: UTF8.self)
            switch head.kind {
            case 1:
                calls.append(.write(file: file, offset: Int(head.offset), bytes: log.subdata(in: data..<end)))
            case 2: calls.append(.truncate(file: file, length: Int(head.length)))
            case 3: calls.append(.sync(file: file))
            case 4: calls.append(.unlink(file: file))
            case 5: calls.append(.sleep(microseconds: Int(head.length)))
            default: throw Damaged(path: path)
            }
            offset = end
        }
        return calls
    }
}
