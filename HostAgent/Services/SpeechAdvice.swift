import DictationSpeech

extension SpeechSessionError {
    /// What our own commands and settings can do about it; nil where the error says all.
    private var advice: String? {
        switch self {
        case .libraryMissing:
            "Install it with “host-agent install-engines”, or choose another engine in the settings."
        case .libraryUnfit: "Install it again with “host-agent install-engines”."
        case .modelNotFound:
            "“host-agent models list” names those that there are, “host-agent models install” installs one, and “host-agent "
                + "install-engines moonshine-tiny-en” a small one of English."
        case .serverFailed: "Look at [remote] in the settings."
        case .unusableWord(_, pronunciation: "", _): "Say in [speech] words how it is spoken."
        default: nil
        }
    }

    fileprivate var story: String { advice.map { "\(self) \($0)" } ?? "\(self)" }
}

extension Error {
    /// What went wrong, for a person, with what to do about it.
    package var story: String { (self as? SpeechSessionError)?.story ?? "\(self)" }
}
