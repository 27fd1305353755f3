import DictationShared
import Foundation
import Synchronization
import TestSupport

/// A user's desk: a display, a microphone that speaks a recording, an app group, and the programs under test.
final class Desk: Sendable {
    let display: VirtualDisplay
    let folder: TemporaryFolder
    let group: AppGroup
    let store: StateStore
    let environment: [String: String]
    /// The dictation that was spoken into last.
    let spokenInto = Mutex<DictationID?>(nil)

    /// The behavior of a microphone.
    enum Microphone {
        case speaks(String)
        case unpluggedAfter(String, milliseconds: Int)
        /// The machine is too busy to take all of its sound.
        case overrunAfter(String, milliseconds: Int)
        case silent
        /// These samples, 16,000 a second; then it is silent.
        case plays([Int16])
        /// Wind in bursts, as loud as speech.
        case gusts
        case missing
    }

    /// - Parameter groupFolder: the folder of the app group; a new one by default.
    static func set(
        _ microphone: Microphone = .speaks("short.wav"), groupFolder: URL? = nil
    ) async throws -> Desk {
        try await Desk(microphone: microphone, display: .start(), groupFolder: groupFolder)
    }

    private init(microphone: Microphone, display: VirtualDisplay, groupFolder: URL?) throws {
        self.display = display
        folder = try TemporaryFolder("desk")
        group = try AppGroup(
            folder: groupFolder ?? URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        store = try StateStore(group: group)
        var environment = display.environment
        // No notices on the screen of the one who runs the tests, and no lock of it matters to them.
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
        environment["VOICEDICTATION_NOTICES_OFFERS"] = "false"
        environment["VOICEDICTATION_GROUP"] = group.folder.path
        environment["VOICEDICTATION_SETTINGS"] = folder.file("settings.toml")
        switch microphone {
        case .speaks(let name):
            environment.merge(
                try ALSAConfiguration(playing: Self.recording(name), in: folder).environment
            ) { $1 }
        case .overrunAfter(let name, let milliseconds):
            environment.merge(
                try ALSAConfiguration(playing: Self.recording(name), in: folder, overrunAfter: milliseconds)
                    .environment
            ) { $1 }
        case .unpluggedAfter(let name, let milliseconds):
            environment.merge(
                try ALSAConfiguration(playing: Self.recording(name), in: folder, unplugAfter: milliseconds)
                    .environment
            ) { $1 }
        case .silent:
            let silence = folder.file("silence.wav")
            try Self.wave(Array(repeating: 0, count: 16_000)).write(to: URL(fileURLWithPath: silence))
            environment.merge(try ALSAConfiguration(playing: silence, in: folder).environment) { $1 }
        case .plays(let samples):
            let sound = folder.file("sound.wav")
            try Self.wave(samples).write(to: URL(fileURLWithPath: sound))
            environment.merge(try ALSAConfiguration(playing: sound, in: folder).environment) { $1 }
        case .gusts:
            var generator = SeededGenerator(seed: 5)
            let wind = (0..<48_000).map { index in
                Int16.random(in: -9_000...9_000, using: &generator) / (index % 8_000 < 4_000 ? 1 : 450)
            }
            let gusts = folder.file("gusts.wav")
            try Self.wave(wind).write(to: URL(fileURLWithPath: gusts))
            environment.merge(try ALSAConfiguration(playing: gusts, in: folder).environment) { $1 }
        case .missing:
            let configuration = try folder.write(
                "pcm.!default { type hw card 31 }\n", to: "no-microphone.conf")
            environment["ALSA_CONFIG_PATH"] = configuration
        }
        self.environment = environment
    }

    static func recording(_ name: String) -> String { repositoryFile("Tests/Recordings/\(name)") }

    /// A WAV file: 16 kHz, mono.
    static func wave(_ samples: [Int16]) -> Data {
        let bytes = UInt32(samples.count * 2)
        var data = Data("RIFF".utf8)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        append(36 + bytes)
        data.append(Data("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(16_000))
        append(UInt32(32_000))
        append(UInt16(2))
        append(UInt16(16))
        data.append(Data("data".utf8))
        append(bytes)
        for sample in samples { append(sample) }
        return data
    }

    // MARK: - Programs

    func start(_ name: String, _ arguments: String...) throws -> Program {
        try Program.start(BuildFolder.program(name), arguments, environment: environment)
    }

    func startHost(_ arguments: String...) async throws -> Program {
        let host = try Program.start(BuildFolder.program("host-agent"), arguments, environment: environment)
        try await host.waitForLine(containing: "host-agent is ready")
        return host
    }

    func startInserter() async throws -> Program {
        let inserter = try start("insert-agent")
        try await inserter.waitForLine(containing: "insert-agent is ready")
        return inserter
    }

    /// One process that records and types.
    func startInline() async throws -> Program {
        let inline = try start("insert-agent", "--inline")
        try await inline.waitForLine(containing: "insert-agent is ready")
        return inline
    }

    /// Kills a program as a crash would, and returns when the kernel has cleaned up.
    func kill(_ program: Program) async throws {
        program.signal(SIGKILL)
        _ = try await program.waitForExit()
    }

    func dictstate(_ arguments: String...) async throws -> String { try await dictstate(arguments) }

    func dictstate(_ arguments: [String]) async throws -> String {
        try await Program.run(BuildFolder.program("dictstate"), arguments, environment: environment)
    }

    func end(_ programs: Program...) async {
        for program in programs { await program.end() }
        await display.end()
    }
}
