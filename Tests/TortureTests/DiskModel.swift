import Foundation
import TestSupport

@testable import StoreTorture

/// A disk that may lose everything that was not synced: a value, fed with the calls of a process.
///
/// Data from before the last sync of a file is there. Each sector that was written since may be there or not,
/// independent of those before and after it: a disk, and the kernel's cache above it, write in the order that
/// suits them. The last call may have been cut anywhere, in the middle of a sector, too. A file that was
/// created, with nothing of it synced, may be missing; one that was removed may be back, until the
/// folder is synced.
struct DiskModel: Sendable {
    /// Disks write this much as one piece.
    static let sector = 512

    /// How much of the unsynced data survives a power failure.
    enum Loss: CaseIterable, Sendable {
        /// All of it, up to the call that was cut: what a process's death would leave.
        case onlyTheLastCall
        /// Most sectors, here and there one is missing.
        case few
        case half
        /// Single sectors have made it to the disk.
        case most
        case all

        /// The share of sectors that is kept.
        var kept: Double {
            switch self {
            case .onlyTheLastCall: 1
            case .few: 0.95
            case .half: 0.5
            case .most: 0.05
            case .all: 0
            }
        }
    }

    private enum Change: Sendable {
        case write(offset: Int, bytes: Data)
        case truncate(Int)
        case unlink
    }

    /// The data that is on the disk for sure.
    private var sure: [String: Data] = [:]
    /// The changes that are only in the kernel's cache, in order.
    private var unsure: [String: [Change]] = [:]
    /// Syncs are trusted; a disk that lies about them is for testing the test.
    var believesSyncs = true

    mutating func carryOut(_ call: RecordedCall) {
        switch call {
        case .write(let file, let offset, let bytes):
            unsure[file, default: []].append(.write(offset: offset, bytes: bytes))
        case .truncate(let file, let length): unsure[file, default: []].append(.truncate(length))
        case .unlink(let file): unsure[file, default: []].append(.unlink)
        case .sync where !believesSyncs: break
        case .sync(""):
            // The folder: the existence of its files is certain now, with their synced content.
            for file in unsure.keys { settleExistence(of: file) }
        case .sync(let file):
            for change in unsure.removeValue(forKey: file) ?? [] { Self.apply(change, to: &sure[file]) }
        case .sleep: break
        }
    }

    private mutating func settleExistence(of file: String) {
        guard var changes = unsure[file], !changes.isEmpty else { return }
        if let removal = changes.lastIndex(where: { if case .unlink = $0 { true } else { false } }) {
            sure[file] = nil
            changes.removeSubrange(...removal)
        }
        if !changes.isEmpty, sure[file] == nil { sure[file] = Data() }
        unsure[file] = changes
    }

    /// A state in which the disk may be after the power has failed in the middle of the newest call.
    func afterPowerLoss(_ loss: Loss, using random: inout SeededGenerator) -> [String: Data] {
        var found = sure
        // In a fixed order, so that a seed repeats it.
        for (file, changes) in unsure.sorted(by: { $0.key < $1.key }) {
            var contents = found[file]
            for (index, change) in changes.enumerated() {
                let isCut = index == changes.count - 1
                for piece in Self.pieces(of: change, isCut: isCut, using: &random)
                where loss.kept == 1 || Double.random(in: 0..<1, using: &random) < loss.kept {
                    Self.apply(piece, to: &contents)
                }
            }
            found[file] = contents
        }
        return found
    }

    /// The parts of a change on the disk.
    private static func pieces(
        of change: Change, isCut: Bool, using random: inout SeededGenerator
    ) -> [Change] {
        guard case .write(let offset, let bytes) = change else { return [change] }
        // Half of the last calls come through: a power failure between two calls.
        let isWhole = !isCut || Bool.random(using: &random)
        let end = isWhole ? bytes.count : Int.random(in: 0...bytes.count, using: &random)
        var pieces: [Change] = []
        var start = 0
        while start < end {
            let next = min(end, start + sector - (offset + start) % sector)
            pieces.append(.write(offset: offset + start, bytes: bytes.subdata(in: start..<next)))
            start = next
        }
        return pieces
    }

    private static func apply(_ change: Change, to contents: inout Data?) {
        switch change {
        case .write(let offset, let bytes):
            var data = contents ?? Data()
            contents = nil
            if data.count < offset + bytes.count { data.count = offset + bytes.count }
            data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            contents = data
        case .truncate(let length): contents?.count = length
        case .unlink: contents = nil
        }
    }
}
