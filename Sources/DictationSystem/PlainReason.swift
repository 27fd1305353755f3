import Foundation

extension Error {
    /// Of each of Foundation's descriptions; it says nothing that a message does not say itself.
    private static var lead: String { "The operation could not be completed. " }

    /// What happened, in the system's words ("Permission denied"): an error of Foundation has the numbers of its domains
    /// and codes instead.
    public var plainReason: String {
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

extension Data {
    /// Reads a file to its end, which may also be a pipe, such as a shell's `<(command)`.
    ///
    /// - Parameter limit: bytes; of a longer file there is one more.
    public init(of file: URL, upTo limit: Int) throws {
        self.init()
        let source = try FileHandle(forReadingFrom: file)
        while count <= limit, let piece = try source.read(upToCount: limit + 1 - count), !piece.isEmpty {
            append(piece)
        }
    }
}
