import DictationShared

/// Which recordings need not be tried in the same attempt, because a recognizer that is missing has refused others like them:
/// a pure value.
///
/// What each recording asks for decides: its engine, model and language. One that asks for a language that no
/// engine recognizes says nothing about the others.
struct RecognizerRefusals {
    private var counts: [Intent.RecognitionOptions: Int] = [:]

    /// A server may refuse one sound and take the next one. It is not asked a third time.
    private static let limit = 2

    /// Whether recordings are left because a recognizer was missing.
    private(set) var isEmpty = true

    /// Whether a recording that asks for this may find its recognizer.
    func allow(_ options: Intent.RecognitionOptions) -> Bool { counts[options, default: 0] < Self.limit }

    /// - Parameter refusal: nil if the recognizer was there.
    mutating func note(_ refusal: FailureCode?, of options: Intent.RecognitionOptions) {
        guard let refusal else {
            counts[options] = nil
            return
        }
        isEmpty = false
        counts[options, default: 0] += refusal == .serverFailed ? 1 : Self.limit
    }
}
