import DictationService
import DictationSpeech

/// An error of the speech library, which knows neither our commands nor our settings.
private protocol Advisable: Error {
    /// A remedy by our own commands and settings; nil if the error itself says enough.
    var advice: String? { get }
}

extension SpeechSessionError: Advisable {
    fileprivate var advice: String? {
        switch self {
        case .libraryMissing:
            "Install it with “host-agent install-engines”, or choose another engine in the settings."
        case .libraryUnfit: "Install it again with “host-agent install-engines”."
        case .modelNotFound:
            "“host-agent models list” lists the models, “host-agent models install” installs one. “host-agent "
                + "install-engines moonshine-tiny-en” installs a small one for English."
        case .serverFailed: "Check [remote] in the settings."
        case .unusableWord(_, pronunciation: "", _): "Add its pronunciation to [speech] words."
        default: nil
        }
    }
}

extension ModelError: Advisable {
    fileprivate var advice: String? {
        switch self {
        case .noCatalogue: "Name one in the settings: [models] catalogue, a file or an address."
        case .catalogueNotLoaded: "If that does not help, check [models] catalogue in the settings."
        case .nothingRecorded: "“host-agent models install FOLDER” records it."
        case .badName: "Set a name with --name NAME."
        case .nameTaken(let name): "Name it with --name NAME, or: host-agent models remove \(name)"
        case .damaged(let name, _): "To remove it: host-agent models remove \(name)"
        case .languageUnknown:
            "Add --language en, or --language en,de; or --language '*' for a model that detects the language."
        default: nil
        }
    }
}

extension Error {
    /// The error for a person, with the remedy.
    package var story: String {
        (self as? any Advisable)?.advice.map { "\(self) \($0)" } ?? "\(self)"
    }
}

extension Complaint {
    package static func say(_ reason: any Error) { say(reason.story) }
}
