import DictationSystem
import Foundation
import Glibc

/// A socket of this machine that accepts connections and says nothing: for a client that only connects, it
/// looks like a Wayland compositor.
public final class ListeningSocket: Sendable {
    private let address: UnixAddress
    private let descriptor: Descriptor

    /// - Throws: ``SystemError``
    public init(at path: String) throws {
        address = UnixAddress(path)
        descriptor = try address.bind(.stream)
        try retryingInterrupted("listen at \(path)") { listen(descriptor.raw, 64) }
    }

    /// A connection of a program's own to it.
    ///
    /// - Returns: its two ends.
    /// - Throws: ``SystemError``
    public func connection() throws -> (client: Descriptor, server: Descriptor) {
        let client = try address.connect(.stream)
        let server = try Descriptor.opening("accept") {
            accept(descriptor.raw, nil, nil)
        }
        return (client, server)
    }

    /// Stops listening; the file stays, as after a crash of a compositor.
    public func close() { shutdown(descriptor.raw, Int32(SHUT_RDWR)) }
}
