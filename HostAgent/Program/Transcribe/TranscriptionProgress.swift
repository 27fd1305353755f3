import DictationSystem
import Foundation

/// How far several files are, as one line for a terminal.
struct TranscriptionProgress: Equatable, Sendable {
    private struct File: Equatable {
        let seconds: Double
        var fraction = 0.0
        /// The part that an earlier run has done, or that need not be done; nil before the file is begun.
        var given: Double?
    }
    private var files: [File]

    /// - Parameter seconds: the length of each file; one of unknown length counts as a minute.
    init(seconds: [Double?]) { files = seconds.map { File(seconds: max(1, $0 ?? 60)) } }

    /// - Parameter fraction: 0…1; 1 also for a file that failed or was left out. The first value is its
    ///   starting point.
    mutating func update(_ file: Int, to fraction: Double) {
        if files[file].given == nil { files[file].given = min(1, fraction) }
        files[file].fraction = max(files[file].fraction, min(1, fraction))
    }

    /// Of all sound, 0…1.
    var fraction: Double {
        files.reduce(0) { $0 + $1.seconds * $1.fraction } / files.reduce(0) { $0 + $1.seconds }
    }

    /// The part of it that took no time here.
    private var given: Double {
        files.reduce(0) { $0 + $1.seconds * ($1.given ?? 0) } / files.reduce(0) { $0 + $1.seconds }
    }

    /// - Parameter elapsed: since the first file was begun, in seconds.
    func text(elapsed: Double) -> String {
        let finished = files.count { $0.fraction == 1 }
        var parts = ["\(Int(fraction * 100)) %"]
        if files.count > 1 { parts.append("\(finished) of \(files.count) files") }
        // The first seconds say little: a model is loaded then.
        let done = fraction - given
        if done > 0.02, fraction < 1, elapsed > 2 {
            parts.append(Self.left(elapsed / done * (1 - fraction)))
        }
        return parts.joined(separator: " · ")
    }

    private static func left(_ seconds: Double) -> String {
        ClockText.running(Int(seconds.rounded(.up))) + " left"
    }
}
