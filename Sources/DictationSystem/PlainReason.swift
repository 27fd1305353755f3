import Foundation

extension Error {
    /// A part of Foundation's descriptions that adds nothing to a message.
    private static var lead: String { "The operation could not be completed. " }

    /// What happened, in the system's words ("Permission denied"): Foundation's errors have the numbers of
    /// their domains and codes instead.
    public var plainReason: String {
        // The message names the file already.
        if let error = self as? SystemError { return error.reason }
        if let error = self as? DecodingError { return error.flaw }
        let error = self as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        switch cause.domain {
        case NSPOSIXErrorDomain where cause.code == EISDIR: return "it is a folder"
        case NSPOSIXErrorDomain: return String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
        case NSCocoaErrorDomain: return error.localizedDescription.replacing(Self.lead, with: "")
        default: return "\(self)"
        }
    }
}

extension DecodingError {
    /// The flaw of a JSON file, and its place there: “models[0] has no “engine””.
    fileprivate var flaw: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath)) has no “\(key.stringValue)”"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(Self.place(context.codingPath)) is of another type"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no JSON" : "\(Self.place(context.codingPath)) has a wrong value"
        @unknown default: "\(self)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty
            ? "it"
            : path.reduce("") { place, key in
                key.intValue.map { "\(place)[\($0)]" } ?? (place.isEmpty ? "" : place + ".") + key.stringValue
            }
    }
}
