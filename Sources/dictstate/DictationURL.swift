import ArgumentParser
import DictationProgram
import DictationShared
import Foundation

/// The action of `voicedictation://record` and its like.
enum DictationURL: Equatable {
    case record, stop, toggle, cancel
    /// Of a dictation, by its identifier or the end of it; the newest one if nil.
    case insert(String?)

    static let forms = ["record", "stop", "toggle", "cancel", "insert", "insert/ID"].map {
        "\(AppGroupConstants.urlScheme)://\($0)"
    }

    /// - Returns: nil for any other URL, or none.
    init?(_ text: String) {
        guard let parts = URLComponents(string: text),
            parts.scheme?.lowercased() == AppGroupConstants.urlScheme, parts.query == nil
        else { return nil }
        let path = parts.path.split(separator: "/").map(String.init)
        switch (parts.host?.lowercased(), path.count) {
        case ("record", 0): self = .record
        case ("stop", 0): self = .stop
        case ("toggle", 0): self = .toggle
        case ("cancel", 0): self = .cancel
        case ("insert", 0...1): self = .insert(path.first)
        default: return nil
        }
    }

    func action(_ session: Session) throws -> Intent.Action {
        switch self {
        case .record: .record(.start())
        case .stop: .record(.stop())
        case .toggle: .record(.toggle())
        case .cancel: .record(.cancel)
        case .insert(let name): .insert(try name.map { try session.dictation(named: $0).id })
        }
    }
}

struct OpenCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Carry out a voicedictation: URL; without one, start or stop like the hotkey.",
        discussion: "There are \(DictationURL.forms.joined(separator: ", ")).")

    @Argument(help: "The URL.", transform: Self.parse)
    var url: DictationURL = .toggle
    @OptionGroup var output: OutputOptions

    func action(_ session: Session) throws -> Intent.Action { try url.action(session) }

    private static func parse(_ text: String) throws -> DictationURL {
        guard let url = DictationURL(text) else {
            throw ValidationError(
                "“\(text)” is not a known link. There are \(DictationURL.forms.joined(separator: ", "))."
            )
        }
        return url
    }
}
