extension Character {
    /// Whether it belongs to a script without spaces between words: Chinese, Japanese, Thai, Lao, Khmer,
    /// Burmese, and their punctuation. Korean has spaces.
    public var isWrittenWithoutSpaces: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            // Thai and Lao; Burmese; Khmer.
            case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF,
                0xAA60...0xAA7F:
                true
            // The radicals of Chinese; punctuation, Hiragana and Katakana; Katakana for Ainu.
            case 0x2E80...0x2FDF, 0x3000...0x30FF, 0x31F0...0x31FF: true
            // Wide and narrow forms, apart from those of Korean.
            case 0xFF00...0xFF9F, 0xFFE0...0xFFEF: true
            default: scalar.properties.isIdeographic
            }
        }
    }
}
