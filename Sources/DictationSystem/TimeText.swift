import Foundation

extension Duration {
    /// In seconds, for messages: “3 s”, “1.5 s”.
    public var inSeconds: String {
        let hundredths = (self / .milliseconds(10)).rounded()
        return String(format: "%g s", hundredths / 100)
    }
}

/// Seconds as a clock shows them.
public enum ClockText {
    /// A running time: “0:07”, “12:34”; from an hour on “1:02:03”.
    public static func running(_ seconds: Int) -> String {
        let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
        return hours > 0
            ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    /// A place in a recording, with its hour, so that it is not read as a time of day: “0:12:34”.
    public static func place(_ seconds: Int) -> String {
        "\(seconds / 3_600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
