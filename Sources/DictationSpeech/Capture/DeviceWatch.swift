import CLinux
import DictationSystem
import Foundation
import Glibc
import Synchronization

extension ALSAInput {
    public func presence() -> AsyncStream<DevicePresence> {
        // A late reader needs only the newest.
        let (stream, output) = AsyncStream.makeStream(
            of: DevicePresence.self, bufferingPolicy: .bufferingNewest(1))
        guard let watch = try? DeviceWatch(folder: deviceFolder), let stopping = try? WakeUp() else {
            // Without inotify changes of the microphone are noticed when it is opened.
            output.finish()
            return stream
        }
        output.onTermination = { _ in stopping.signal() }
        // Its own thread: a sound server that hangs blocks its callers.
        startThread(named: "sound-devices") { [device] in
            repeat { output.yield(ALSADevice.presence(of: device)) } while watch.wait(stopping: stopping)
            output.finish()
        }
        return stream
    }
}

/// Sleeps until a sound device has come, gone or got other rights, by what becomes of its file in `/dev/snd`.
struct DeviceWatch {
    private let folder: URL
    private let events: FileEvents

    /// - Throws: ``SystemError``.
    init(folder: URL) throws {
        self.folder = folder
        events = try FileEvents()
        // Without a sound card the folder does not exist.
        try events.watch(
            folder.deletingLastPathComponent().path, for: [.entryCreated, .entryRemoved, .entryMovedIn])
        watchFolder()
    }

    private func watchFolder() {
        // It is watched when it comes.
        _ = try? events.watch(
            folder.path,
            // The file is made first, and given to the user's group then.
            for: [.entryCreated, .entryRemoved, .entryMovedIn, .entryMovedOut, .attributes])
    }

    /// - Returns: false once `stopping` was signaled.
    func wait(stopping: WakeUp) -> Bool {
        while let happened = try? events.wait(stopping: stopping) {
            if happened.contains(where: { $0.name == folder.lastPathComponent }) { watchFolder() }
            if happened.contains(where: { isOfInterest($0.name) }) { return true }
        }
        return false
    }

    /// A stream that can be recorded from: "pcmC1D0c". Its card comes before it.
    private func isOfInterest(_ name: String) -> Bool {
        name == folder.lastPathComponent || (name.hasPrefix("pcm") && name.hasSuffix("c"))
    }
}
