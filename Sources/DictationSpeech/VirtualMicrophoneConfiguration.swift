/// Writes the ALSA configuration that makes a recording speak as a microphone, for tests and for demonstrations on
/// machines without one.
///
/// Save ``text`` as a file, and set `ALSA_CONFIG_PATH` to it before a program opens its first device. The device
/// "virtualmic" takes arguments, so that one configuration serves many microphones:
/// `virtualmic:FILE=/tmp/speech.wav,UNPLUG=1500`.
public struct VirtualMicrophoneConfiguration: Sendable {
    /// The file name of the built plug-in; `swift build` puts it beside the programs.
    public static let pluginFileName = "libasound_module_pcm_virtualmic.so"

    /// The plug-in's absolute path.
    public var plugin: String
    /// What the device "default" speaks: a WAV file, 16-bit mono; nil for silence.
    public var defaultRecording: String?

    public init(plugin: String, defaultRecording: String? = nil) {
        self.plugin = plugin
        self.defaultRecording = defaultRecording
    }

    public var text: String {
        """
        </usr/share/alsa/alsa.conf>
        !@hooks []
        pcm_type.virtualmic { lib "\(plugin)" }
        pcm.!default { type virtualmic infile "\(defaultRecording ?? "")" }
        pcm.virtualmic {
            @args [ FILE LOOP XRUN UNPLUG ]
            @args.FILE { type string default "" }
            @args.LOOP { type string default "no" }
            @args.XRUN { type integer default -1 }
            @args.UNPLUG { type integer default -1 }
            type virtualmic
            infile $FILE
            loop $LOOP
            xrun_ms $XRUN
            unplug_ms $UNPLUG
        }

        """
    }

    /// The device that speaks `recording`; to be given to ``ALSAInput``.
    ///
    /// - Parameters:
    ///   - overrunAfter: milliseconds from the start to one overrun; nil: none.
    ///   - unplugAfter: milliseconds from the start until the device vanishes; nil: never.
    public static func device(
        speaking recording: String, loop: Bool = false, overrunAfter: Int? = nil, unplugAfter: Int? = nil
    ) -> String {
        "virtualmic:FILE='\(recording)',LOOP=\(loop ? "yes" : "no"),XRUN=\(overrunAfter ?? -1),"
            + "UNPLUG=\(unplugAfter ?? -1)"
    }
}
