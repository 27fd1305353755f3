import Foundation
import Testing

@testable import DictationSpeech

@Suite("A microphone that comes and goes while nothing is recorded", .serialized, .timeLimit(.minutes(2)))
struct DeviceWatchTests {
    /// A microphone that has a file in a folder of devices, as the kernel makes them: it speaks that file.
    private struct Desk {
        let folder: Folder
        var devices: URL { folder.url.appending(path: "snd") }
        var file: URL { devices.appending(path: "pcmC1D0c") }

        var input: ALSAInput {
            ALSAInput(device: Microphones.input(speaking: file).device, deviceFolder: devices)
        }

        func plugIn() throws {
            try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
            // At once, as a device is there.
            let new = folder.url.appending(path: "new")
            try FileManager.default.copyItem(at: Recording.short.url, to: new)
            try FileManager.default.moveItem(at: new, to: file)
        }
    }

    @Test("is reported when it appears, also as the first sound device of all, when it vanishes, and again")
    func hotplug() async throws {
        let desk = Desk(folder: try Folder())
        let session = SpeechSession(input: desk.input)
        var configurations = session.audioInputConfigurationStream.makeAsyncIterator()
        let none = try #require(await configurations.next())
        #expect(!none.isAvailable && none.format == nil && none.device.hasPrefix("alsa:"))
        for _ in 0..<2 {
            try desk.plugIn()
            let there = try #require(await configurations.next())
            #expect(there.isAvailable && there.format == AudioInputFormat(rate: 16_000, channels: 1))
            try FileManager.default.removeItem(at: desk.file)
            #expect(await configurations.next() == none)
        }
        try FileManager.default.removeItem(at: desk.devices)
        try desk.plugIn()
        #expect(await configurations.next()?.isAvailable == true)
        // The device that came can be used.
        let stream = session.startTranscribing { if $0.time > 1 { session.finishRecording(tail: .zero) } }
        #expect(try await Outcome(stream).error == nil)
    }

    @Test("is reported by one that stays open as well; a reader that stops gets no more")
    func warm() async throws {
        let desk = Desk(folder: try Folder())
        try desk.plugIn()
        let session = SpeechSession(input: WarmInput(desk.input, keepOpen: { .zero }))
        for _ in 0..<2 {
            for await configuration in session.audioInputConfigurationStream {
                #expect(configuration.isAvailable)
                break
            }
        }
        try FileManager.default.removeItem(at: desk.file)
        for await configuration in session.audioInputConfigurationStream where !configuration.isAvailable {
            break
        }
    }

    @Test("that another program has, and does not share, is there")
    func busy() async throws {
        let folder = try Folder()
        let lock = folder.url.appending(path: "lock").path
        let input = Microphones.input(speaking: Recording.short.url, lock: lock)
        let other = input.start()
        for try await _ in other.chunks { break }
        for await presence in input.presence() {
            #expect(presence == .available(nil))
            break
        }
        other.stop(tail: .zero)
    }
}
