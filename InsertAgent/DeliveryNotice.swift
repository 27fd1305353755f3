import DictationSettings
import DictationShared

/// The notice in the state of a text that did not go the usual way.
enum DeliveryNotice {
    static let copied = DictationFailure(
        code: .copied, message: "The text is on the clipboard: paste it yourself",
        kept: "the text, in the history")

    static func fallback(
        from method: InsertMethod, to next: InsertMethod, because reason: String
    ) -> DictationFailure {
        DictationFailure(
            code: .methodFallback,
            message: "“\(method.rawValue)” was not possible (\(reason)); “\(next.rawValue)” was used instead")
    }
}
