import Foundation

/// `window.py`: a text window that prints what comes into it.
public enum WindowScript {
    public static let path = repositoryFile("Tests/TestSupport/window.py")

    /// The whole text that the window has now.
    public static func text(in output: some BidirectionalCollection<some StringProtocol>) -> String {
        output.last { $0.hasPrefix("\"") }
            .flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) } ?? ""
    }

    /// The words that an input method shows in it. It reports them with `TELL_PREEDIT` in its environment.
    public static func preedit(in output: some BidirectionalCollection<some StringProtocol>) -> String {
        let name = "preedit "
        return output.last { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } ?? ""
    }
}

extension [OutputLine] {
    /// The stdout of a program, line by line.
    var output: some BidirectionalCollection<String> { lazy.filter { $0.stream == .output }.map(\.text) }
}
