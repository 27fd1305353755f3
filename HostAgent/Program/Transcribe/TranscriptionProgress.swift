import Foundation

/// How far several files are, as one line for a terminal.
struct TranscriptionProgress: Equatable, Sendable {
    private struct File: Equatable {
        let seconds: Double
        var fraction = 0.0
    }
    private var files: [File]

    /// - Parameter seconds: the length of each file; one of unknown length counts as a minute.
    init(seconds: [Double?]) { files = seconds.map { File(seconds: max(1, $0 ?? 60)) } }

    /// - Parameter fraction: 0…1; 1 also for a file that failed or was left out.
    mutating func update(_ file: Int, to fraction: Double) {
        files[file].fraction = max(files[file].fraction, min(1, fraction))
    }

    /// Of all sound, 0…1.
    var fraction: Double {
        files.reduce(0) { $0 + $1.seconds * $1.fraction } / files.reduce(0) { $0 + $1.seconds }
    }

    /// - Parameter elapsed: since the first file was begun, in seconds.
    func text(elapsed: Double) -> String {
        let done = files.count { $0.fraction == 1 }
        var parts = ["\(Int(fraction * 100)) %"]
        if files.count > 1 { parts.append("\(done) of \(files.count) files") }
        // The first seconds say little: a model is loaded then.
        if fraction > 0.02, fraction < 1, elapsed > 2 {
            parts.append(Self.left(elapsed / fraction * (1 - fraction)))
        }
        return parts.joined(separator: " · ")
    }

    private static func left(_ seconds: Double) -> String {
        let all = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (hours > 0 ? "\(hours):\(two(minutes)):" : "\(minutes):") + two(rest) + " left"
    }
}
