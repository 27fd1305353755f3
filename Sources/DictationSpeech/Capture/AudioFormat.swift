import DictationSystem
import Foundation

/// The formats that people have recordings in and that libsndfile does not read, by how their files begin.
enum AudioFormat {
    /// - Returns: with an article, to follow "is"; nil for any other format.
    static func name(of url: URL) -> String? {
        guard let file = try? FileHandle(forReadingFrom: url), let start = try? file.read(upToCount: 64)
        else {
            return nil
        }
        return name(ofFileBeginningWith: Array(start))
    }

    static func name(ofFileBeginningWith bytes: [UInt8]) -> String? {
        func text(_ range: Range<Int>) -> String {
            bytes.count < range.upperBound ? "" : String(decoding: bytes[range], as: UTF8.self)
        }
        // ISO/IEC 14496-12: the box "ftyp", and then the brand.
        if text(4..<8) == "ftyp" {
            switch text(8..<12) {
            case "M4A ", "M4B ": return "an M4A file (AAC or ALAC)"
            case "qt  ": return "a QuickTime film"
            case let brand where brand.hasPrefix("3g"): return "a 3GP file"
            default: return "an MP4 file"
            }
        }
        // RFC 8794: the EBML header names the kind of document.
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            return bytes.firstRange(of: Array("webm".utf8)) != nil ? "a WebM file" : "a Matroska file"
        }
        if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return "a WMA file" }
        if text(0..<5) == "#!AMR" { return "an AMR file" }
        if text(0..<4) == "wvpk" { return "a WavPack file" }
        if text(0..<4) == "MAC " { return "a Monkey's Audio file" }
        if text(0..<3) == "FLV" { return "a Flash film" }
        if text(0..<4) == "RIFF", text(8..<12) == "AVI " { return "an AVI film" }
        // ISO/IEC 13818-7: ADTS, twelve bits that are set, then the layer 00.
        if bytes.count > 1, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "an AAC file" }
        if text(0..<4) == "OggS" { return "an Ogg file without Vorbis, Opus or FLAC" }
        return nil
    }

    /// The shell command that converts it into a readable file.
    static func conversion(of path: String) -> String {
        let target = (path as NSString).deletingPathExtension + ".wav"
        return "ffmpeg -i \(quoted(path)) -ac 1 -ar 16000 \(quoted(target == path ? path + ".wav" : target))"
    }

    private static func quoted(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
        // A name with a hyphen in front is an option.
        let path = path.hasPrefix("-") ? "./" + path : path
        return isPlain ? path : path.shellQuoted
    }
}
