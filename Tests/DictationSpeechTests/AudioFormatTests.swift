import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Sound files that are not read here")
struct AudioFormatTests {
    @Test(
        "are named by how they begin",
        arguments: [
            ("\0\0\0\u{20}ftypM4A ", "an M4A file (AAC or ALAC)"), ("\0\0\0\u{18}ftypisom", "an MP4 file"),
            ("\0\0\0\u{14}ftypqt  ", "a QuickTime film"), ("\0\0\0\u{14}ftyp3gp4", "a 3GP file"),
            ("#!AMR\n", "an AMR file"), ("wvpk0000", "a WavPack file"), ("FLV\u{1}", "a Flash film"),
            ("RIFF0000AVI ", "an AVI film"), ("Dear John,", nil), ("", nil), ("ft", nil),
        ] as [(String, String?)])
    func names(start: String, name: String?) {
        #expect(AudioFormat.name(ofFileBeginningWith: Array(start.utf8)) == name)
    }

    @Test("are named if the beginning is not text")
    func binary() {
        let webm: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8)
        #expect(AudioFormat.name(ofFileBeginningWith: webm) == "a WebM file")
        #expect(AudioFormat.name(ofFileBeginningWith: Array(webm.prefix(6))) == "a Matroska file")
        #expect(AudioFormat.name(ofFileBeginningWith: [0xFF, 0xF1, 0x50]) == "an AAC file")
        #expect(AudioFormat.name(ofFileBeginningWith: [0xFF, 0xFB, 0x90]) == nil, "that is MP3")
    }

    @Test(
        "are converted by a command that a shell takes as it is",
        arguments: [
            ("/a/note.m4a", "ffmpeg -i /a/note.m4a -ac 1 -ar 16000 /a/note.wav"),
            ("my note.webm", "ffmpeg -i 'my note.webm' -ac 1 -ar 16000 'my note.wav'"),
            ("it's.m4a", #"ffmpeg -i 'it'\''s.m4a' -ac 1 -ar 16000 'it'\''s.wav'"#),
            ("-x.m4a", "ffmpeg -i ./-x.m4a -ac 1 -ar 16000 ./-x.wav"),
            ("film.wav", "ffmpeg -i film.wav -ac 1 -ar 16000 film.wav.wav"),
        ])
    func command(path: String, command: String) { #expect(AudioFormat.conversion(of: path) == command) }

    @Test("are refused with their format; what is not sound, or missing, is reported as such")
    func errors() throws {
        let folder = try TemporaryFolder("formats")
        func failure(_ name: String, _ text: String?) throws -> SpeechSessionError? {
            if let text { try folder.write(text, to: name) }
            return #expect(throws: SpeechSessionError.self) {
                try AudioFile(url: URL(filePath: folder.file(name)))
            }
        }
        let m4a = "\0\0\0\u{20}ftypM4A \0\0\0\0M4A mp42isom" + String(repeating: "x", count: 4_000)
        let format = try #require(try failure("note.m4a", m4a))
        #expect(
            format == .unknownAudioFormat(path: folder.file("note.m4a"), format: "an M4A file (AAC or ALAC)"))
        #expect("\(format)".contains("ffmpeg -i "))
        let text = String(repeating: "Dear John, ", count: 400)
        #expect(
            try failure("letter.txt", text)
                == .unknownAudioFormat(path: folder.file("letter.txt"), format: nil))
        #expect(
            try failure("nothing.wav", nil)
                == .unreadableAudio(path: folder.file("nothing.wav"), reason: "No such file or directory"))
    }
}
