import Foundation

/// A microphone for tests: ALSA's default device becomes a recording, played at the pace of real hardware.
///
/// ```swift
/// let microphone = try ALSAConfiguration(playing: repositoryFile("Tests/Recordings/demo.wav"), in: folder)
/// let agent = try Program.start(BuildFolder.program("host-agent"), environment: microphone.environment)
/// ```
///
/// There are also devices with arguments, so that one configuration serves many microphones:
/// ``device(speaking:isLooping:overrunAfter:unplugAfter:hangAfter:late:lock:)`` and ``device(ofSoundServer:source:)``.
public struct ALSAConfiguration: Sendable {
    /// The variables that lead a program to this microphone.
    public let environment: [String: String]
    /// The configuration file.
    public let path: String

    /// Writes the configuration.
    ///
    /// - Parameters:
    ///   - recording: a WAV file with 16-bit PCM samples; nil for silence.
    ///   - folder: where the configuration is written; it must live as long as the microphone is used.
    ///   - unplugAfter: milliseconds of recording until the device vanishes; never if nil.
    ///   - overrunAfter: milliseconds of recording until one overrun; none if nil.
    ///   - isLooping: begins the recording again at its end, otherwise silence follows; the plug-in's
    ///     own default if nil.
    public init(
        playing recording: String?, in folder: TemporaryFolder, unplugAfter: Int? = nil,
        overrunAfter: Int? = nil, isLooping: Bool? = nil
    ) throws {
        var device = ["type virtualmic", "infile \"\(recording ?? "")\""]
        if let unplugAfter { device.append("unplug_ms \(unplugAfter)") }
        if let overrunAfter { device.append("xrun_ms \(overrunAfter)") }
        if let isLooping { device.append("loop \(isLooping ? 1 : 0)") }
        // The hooks would load the user's and the system's own files afterward, whose default device would win.
        let text = """
            </usr/share/alsa/alsa.conf>
            !@hooks []
            pcm_type.virtualmic { lib "\(BuildFolder.path)/libasound_module_pcm_virtualmic.so" }
            pcm.!default {
                \(device.joined(separator: "\n    "))
            }
            pcm.virtualmic {
                @args [ FILE LOOP XRUN UNPLUG HANG LATE LOCK ]
                @args.FILE { type string default "" }
                @args.LOOP { type string default "no" }
                @args.XRUN { type integer default -1 }
                @args.UNPLUG { type integer default -1 }
                @args.HANG { type integer default -1 }
                @args.LATE { type integer default 0 }
                @args.LOCK { type string default "" }
                type virtualmic
                infile $FILE
                loop $LOOP
                xrun_ms $XRUN
                unplug_ms $UNPLUG
                hang_ms $HANG
                late_ms $LATE
                lock $LOCK
            }
            pcm.speaker {
                @args [ FILE ]
                @args.FILE { type string }
                type file
                slave.pcm "null"
                file $FILE
                format "wav"
                truncate 0
            }
            pcm.soundserver {
                @args [ SERVER SOURCE ]
                @args.SERVER { type string }
                @args.SOURCE { type string }
                type pulse
                server $SERVER
                device $SOURCE
            }
            ctl.soundserver {
                @args [ SERVER SOURCE ]
                @args.SERVER { type string }
                @args.SOURCE { type string }
                type pulse
                server $SERVER
                source $SOURCE
            }

            """
        path = try folder.write(text, to: "asound-\(UUID().uuidString).conf")
        environment = ["ALSA_CONFIG_PATH": path]
    }

    /// The device that speaks a recording.
    ///
    /// - Parameters:
    ///   - overrunAfter: milliseconds of recording until one overrun; none if nil.
    ///   - unplugAfter: milliseconds of recording until the device vanishes; never if nil.
    ///   - hangAfter: milliseconds of recording until a call to the device never returns; nil: each returns.
    ///   - late: milliseconds until the first sound comes from the open device.
    ///   - lock: a file that is locked while the device is open: as with hardware, a second one is told that it is
    ///     busy.
    public static func device(
        speaking recording: String, isLooping: Bool = false, overrunAfter: Int? = nil,
        unplugAfter: Int? = nil, hangAfter: Int? = nil, late: Int = 0, lock: String = ""
    ) -> String {
        "virtualmic:FILE='\(recording)',LOOP=\(isLooping ? "yes" : "no"),XRUN=\(overrunAfter ?? -1),"
            + "UNPLUG=\(unplugAfter ?? -1),HANG=\(hangAfter ?? -1),LATE=\(late),LOCK='\(lock)'"
    }

    /// A device that writes what is played to `file`, and to `file.0001` and so on each time it is opened again. It is
    /// infinitely fast.
    public static func device(writingTo file: String) -> String { "speaker:FILE='\(file)'" }

    /// A source of a PulseAudio server.
    public static func device(ofSoundServer address: String, source: String) -> String {
        "soundserver:SERVER='\(address)',SOURCE='\(source)'"
    }
}
