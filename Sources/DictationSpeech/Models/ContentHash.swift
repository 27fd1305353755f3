import CCrypto
import DictationSystem
import Foundation
import Glibc

/// SHA-256 of what a file holds, by libcrypto.
package final class ContentHash {
    private let context: OpaquePointer

    /// Nil if there is no memory left.
    init?() {
        guard let context = EVP_MD_CTX_new() else { return nil }
        self.context = context
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
    }

    deinit { EVP_MD_CTX_free(context) }

    func add(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// In lower-case hexadecimal digits. Call it once.
    var text: String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &digest, &count)
        return digest.prefix(Int(count)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: nil if there is no memory left.
    package static func of(text: String) -> String? {
        let hash = ContentHash()
        hash?.add(Array(text.utf8))
        return hash?.text
    }

    /// - Parameter each: gets the data, block by block.
    /// - Throws: ``SystemError``, and what `each` throws.
    static func of(_ path: String, each: (ArraySlice<UInt8>) throws -> Void = { _ in }) throws -> String {
        let file = try Descriptor.opening("open \(path)") { open(path, O_RDONLY | O_CLOEXEC) }
        guard let hash = ContentHash() else { throw SystemError("hash \(path)", code: ENOMEM) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try retryingInterrupted("read \(path)") { read(file.raw, &buffer, buffer.count) }
            guard count > 0 else { return hash.text }
            hash.add(buffer[..<count])
            try each(buffer[..<count])
        }
    }
}
