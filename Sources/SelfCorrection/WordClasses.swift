/// Words that are used alike: places, verbs, years. A model that has never seen "Lisbon" after "in" has seen similar
/// words. `train-cleanup` finds the classes from the neighbors of each word.
package struct WordClasses: Sendable {
    /// By the hash of the word, as in ``CorrectionToken/word``; apart from all parts of speech.
    private var numbers: [UInt32: UInt32] = [:]

    /// - Parameter classes: the words of each class, in lower case.
    package init(_ classes: [[String]]) {
        for (number, words) in classes.enumerated() {
            for word in words { add(Hash.of(word), number) }
        }
    }

    /// - Parameter text: words with spaces or new lines between them, and a semicolon after the last one of a class.
    package init(text: UnsafeBufferPointer<UInt8>) {
        numbers.reserveCapacity(text.count / 6)
        var hash: UInt32?
        var number = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: ";"):
                if let word = hash { add(word, number) }
                hash = nil
                if byte == UInt8(ascii: ";") { number += 1 }
            default: hash = Hash.adding(byte, to: hash ?? Hash.empty)
            }
        }
        if let word = hash { add(word, number) }
    }

    private mutating func add(_ word: UInt32, _ number: Int) { numbers[word] = 0xC1A5_5000 + UInt32(number) }

    package subscript(word: UInt32) -> UInt32? { numbers[word] }
}
