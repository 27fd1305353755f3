import CPulse
import DictationSystem
import Glibc

/// Why the sound server could not be asked for something.
public struct SoundServerError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    public let reason: String

    public var description: String { "\(operation): \(reason)" }
}

/// A connection to the desktop's sound server, PulseAudio or PipeWire, by libpulse. Belongs to one thread.
final class SoundServer {
    /// How loud each channel is; 65,536 is 100 % (PA_VOLUME_NORM).
    typealias Volume = [UInt32]

    /// The playback of one program.
    struct Stream: Equatable, Codable {
        /// The server's numbers for it and its client.
        let index: UInt32
        let client: UInt32
        /// The process that plays it, as it says itself.
        let process: String
        /// The name under which the server remembers the volume for the program's next stream.
        let memory: String
        let volume: Volume

        func with(_ volume: Volume) -> Stream {
            Stream(index: index, client: client, process: process, memory: memory, volume: volume)
        }
    }

    private let loop: OpaquePointer
    private let context: OpaquePointer
    private let happened = Happened()
    private var isFollowing = false

    /// For one answer: a person waits for nothing of it.
    private static let patience = Duration.seconds(2)
    private var deadline = ContinuousClock.now + patience

    private final class Happened {
        var isStreamChanged = false
        var isReadable = false

        static func at(_ pointer: UnsafeMutableRawPointer?) -> Happened? {
            pointer.map { Unmanaged<Happened>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// - Throws: ``SoundServerError`` if there is none; none is started.
    init() throws(SoundServerError) {
        guard let loop = pa_mainloop_new() else { throw Self.shortOfMemory }
        guard let context = pa_context_new(pa_mainloop_get_api(loop), "VoiceDictation") else {
            pa_mainloop_free(loop)
            throw Self.shortOfMemory
        }
        self.loop = loop
        self.context = context
        let name = "connect to the sound server"
        guard pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { throw error(name) }
        while true {
            let state = pa_context_get_state(context)
            if state == PA_CONTEXT_READY { break }
            if state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { throw error(name) }
            try turn(name)
        }
    }

    deinit {
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_mainloop_free(loop)
    }

    // MARK: - Playback

    /// The present playback, which can be made louder and quieter.
    func streams() throws(SoundServerError) -> [Stream] {
        let found = Collected<Stream>()
        try carryOut("list what is played") {
            pa_context_get_sink_input_info_list(
                context,
                { _, info, _, found in
                    guard let info = info?.pointee, info.has_volume != 0, info.volume_writable != 0 else {
                        return
                    }
                    Collected<Stream>.at(found)?.all.append(Stream(info))
                }, found.pointer)
        }
        return found.all
    }

    func setVolume(_ volume: Volume, of stream: Stream) throws(SoundServerError) {
        var volume = pa_cvolume(volume)
        try carryOut("set a volume") {
            pa_context_set_sink_input_volume(context, stream.index, &volume, nil, nil)
        }
    }

    /// From now on ``waitForChange(or:)`` is notified of each stream that begins or changes.
    func followStreams() throws(SoundServerError) {
        guard !isFollowing else { return }
        isFollowing = true
        pa_context_set_subscribe_callback(
            context,
            { _, event, _, happened in
                let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
                guard kind != PA_SUBSCRIPTION_EVENT_REMOVE.rawValue else { return }
                Happened.at(happened)?.isStreamChanged = true
            }, Unmanaged.passUnretained(happened).toOpaque())
        try carryOut("follow what is played") {
            pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil)
        }
    }

    /// Waits until a stream has begun or changed, or `descriptor` is readable, however long that takes.
    func waitForChange(or descriptor: Int32) throws(SoundServerError) {
        let name = "follow what is played"
        guard let api = pa_mainloop_get_api(loop),
            let event = api.pointee.io_new(
                api, descriptor, PA_IO_EVENT_INPUT,
                { _, _, _, _, happened in Happened.at(happened)?.isReadable = true },
                Unmanaged.passUnretained(happened).toOpaque())
        else { throw Self.shortOfMemory }
        defer {
            api.pointee.io_free(event)
            (happened.isStreamChanged, happened.isReadable) = (false, false)
        }
        while !happened.isStreamChanged, !happened.isReadable {
            guard pa_mainloop_iterate(loop, 1, nil) >= 0,
                pa_context_get_state(context) == PA_CONTEXT_READY
            else { throw error(name) }
        }
    }

    /// If the server remembers `old` for the programs of these names, it remembers `new` from now on; what
    /// they play from then on gets it as well. A server that remembers nothing is unchanged.
    func remember(_ changes: [(memory: String, old: Volume, new: Volume)]) throws(SoundServerError) {
        let found = Collected<Memory>()
        try carryOut("read the volumes of programs") {
            pa_ext_stream_restore_read(
                context,
                { _, info, _, found in
                    if let info = info?.pointee { Collected<Memory>.at(found)?.all.append(Memory(info)) }
                }, found.pointer)
        }
        for memory in found.all {
            let change = changes.first { $0.memory == memory.name && $0.old == memory.volume }
            guard let change else { continue }
            try carryOut("write the volume of a program") {
                memory.name.withCString { name in
                    memory.device.withCString { device in
                        var info = pa_ext_stream_restore_info(
                            name: name, channel_map: memory.channels, volume: pa_cvolume(change.new),
                            device: memory.device.isEmpty ? nil : device, mute: memory.mute)
                        return pa_ext_stream_restore_write(context, PA_UPDATE_REPLACE, &info, 1, 1, nil, nil)
                    }
                }
            }
        }
    }

    private struct Memory {
        let name: String
        let device: String
        let channels: pa_channel_map
        let volume: Volume
        let mute: Int32

        init(_ info: pa_ext_stream_restore_info) {
            name = text(info.name)
            device = text(info.device)
            channels = info.channel_map
            volume = Volume(info.volume)
            mute = info.mute
        }
    }

    // MARK: - Waiting

    /// The results of the calls of C; it outlives them, because it is used after they have ended.
    private final class Collected<Element> {
        var all: [Element] = []

        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static func at(_ pointer: UnsafeMutableRawPointer?) -> Collected? {
            pointer.map { Unmanaged<Collected>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Asks for something, and waits for the answer.
    private func carryOut(_ name: String, _ ask: () -> OpaquePointer?) throws(SoundServerError) {
        deadline = .now + Self.patience
        guard let operation = ask() else { throw error(name) }
        defer {
            // Of one that is not answered, nothing may come later.
            pa_operation_cancel(operation)
            pa_operation_unref(operation)
        }
        while pa_operation_get_state(operation) == PA_OPERATION_RUNNING { try turn(name) }
        guard pa_operation_get_state(operation) == PA_OPERATION_DONE else { throw error(name) }
    }

    /// Waits until something has come, and deals with it.
    private func turn(_ name: String) throws(SoundServerError) {
        let left = ContinuousClock.now.duration(to: deadline) / .microseconds(1)
        guard left > 0 else { throw SoundServerError(operation: name, reason: "it does not answer") }
        guard pa_mainloop_prepare(loop, Int32(left.rounded(.up))) >= 0, pa_mainloop_poll(loop) >= 0,
            pa_mainloop_dispatch(loop) >= 0
        else { throw error(name) }
    }

    private func error(_ name: String) -> SoundServerError {
        SoundServerError(operation: name, reason: text(pa_strerror(pa_context_errno(context))))
    }

    private static let shortOfMemory = SoundServerError(
        operation: "connect to the sound server", reason: "memory is short")
}

extension SoundServer.Stream {
    fileprivate init(_ info: pa_sink_input_info) {
        func property(_ name: String) -> String { text(pa_proplist_gets(info.proplist, name)) }
        index = info.index
        client = info.client
        process = property(PA_PROP_APPLICATION_PROCESS_ID)
        memory = property("module-stream-restore.id")
        volume = SoundServer.Volume(info.volume)
    }
}

extension SoundServer.Volume {
    fileprivate init(_ volume: pa_cvolume) {
        self = Swift.withUnsafeBytes(of: volume.values) { Array($0.bindMemory(to: UInt32.self)) }
        removeLast(count - Int(volume.channels))
    }
}

extension pa_cvolume {
    fileprivate init(_ volume: SoundServer.Volume) {
        self.init()
        // A file may hold anything.
        let volume = volume.prefix(Int(PA_CHANNELS_MAX))
        channels = UInt8(volume.count)
        withUnsafeMutableBytes(of: &values) { $0.copyBytes(from: volume.withUnsafeBytes { Array($0) }) }
    }
}

/// Nothing for a null pointer.
private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
