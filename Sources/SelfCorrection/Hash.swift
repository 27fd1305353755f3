/// FNV-1a and a mixer: fast, and the same on every machine and in every run, which `Hasher` is not.
package enum Hash {
    package static func of(_ text: String) -> UInt32 { of(Substring(text).utf8) }

    /// Not generic: other modules call it for each word, and would get a form that is not made for their collection.
    package static func of(_ bytes: Substring.UTF8View) -> UInt32 {
        var hash = empty
        for byte in bytes { hash = adding(byte, to: hash) }
        return hash
    }

    @inlinable package static var empty: UInt32 { 2_166_136_261 }

    @inlinable package static func adding(_ byte: UInt8, to hash: UInt32) -> UInt32 {
        (hash ^ UInt32(byte)) &* 16_777_619
    }

    /// For long sequences, which must not collide (the end of SplitMix64).
    @inlinable package static func adding(_ value: UInt64, to hash: UInt64) -> UInt64 {
        var hash = (hash ^ value) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    @inlinable package static func mix(_ first: UInt32, _ second: UInt32) -> UInt32 {
        mixed(first &* 0x9E37_79B1 ^ (second &+ 0x7F4A_7C15))
    }

    /// Each bit affects the lower ones.
    @inlinable package static func mixed(_ value: UInt32) -> UInt32 {
        var hash = value ^ (value >> 15)
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        return hash
    }
}
