import DictationShared
import Foundation
import TestSupport

/// A history like that of a user who dictates every day for years; the same one each time.
struct LongHistory {
    /// Occurs in one dictation of a thousand.
    static let rareWord = "invoice"
    /// Occurs in most.
    static let commonWord = "the"
    /// Occurs in none.
    static let unknownWord = "xylophone"

    /// Dictations in one transaction.
    private static let batch = 2_000
    /// Seconds from one dictation to the next: about a hundred a day.
    private static let interval: TimeInterval = 864

    private var generator = SeededGenerator(seed: 0x5EED)

    /// Writes the history into a store.
    ///
    /// - Parameter progress: told how many there are.
    mutating func write(
        _ count: Int, to store: StateStore, ending end: Date, progress: (Int) throws -> Void
    ) throws {
        for first in stride(from: 0, to: count, by: Self.batch) {
            let numbers = first..<min(first + Self.batch, count)
            try store.add(
                numbers.map { number in
                    dictation(number, at: end.addingTimeInterval(-Self.interval * Double(count - number)))
                })
            // As the host does when it has time.
            while try store.makeSignatures(upTo: Self.batch) > 0 {}
            // A -wal file as long as the history would cost all others their time.
            try store.checkpoint()
            try progress(numbers.upperBound)
        }
    }

    private mutating func dictation(_ number: Int, at date: Date) -> StateStore.Delivered {
        let length = Int.random(in: 6...50, using: &generator)
        var words = (0..<length).map { _ in word() }
        if number % 1_000 == 500 { words[length / 2] = Self.rareWord }
        let raw = words.joined(separator: " ")
        let cleaned = raw.prefix(1).uppercased() + raw.dropFirst() + "."
        return StateStore.Delivered(
            date: date, rawText: "um " + raw, cleanedText: cleaned,
            timings: Timings(
                recording: length * 400, recognition: Int.random(in: 20...400, using: &generator),
                cleaning: Int.random(in: 0...3, using: &generator),
                typing: Int.random(in: 2...200, using: &generator)))
    }

    /// The first words come often, the last ones seldom, as in a language.
    private mutating func word() -> String {
        let place = Double.random(in: 0..<1, using: &generator)
        return Self.words[Int(place * place * Double(Self.words.count))]
    }

    private static let words = """
        the to and of a in is it you that he was for on are with as they be at this have from or had by but not we \
        what all were when your can said there use an each which she do how their if will up other about out many \
        then them these so some her would make like him into time has look two more write go see number no way could \
        people my than first water been call who oil its now find long down day did get come made may part over new \
        sound take only little work know place year live me back give most very after thing our just name good \
        sentence man think say great where help through much before line right too mean old any same tell boy follow \
        came want show also around form three small set put end does another well large must big even such because \
        turn here why ask went men read need land different home us move try kind hand picture again change off play \
        spell air away animal house point page letter mother answer found study still learn should world high every \
        near add food between own below country plant last school father keep tree never start city earth eye light \
        thought head under story saw left don't few while along might close something seem next hard open example \
        begin life always those both paper together got group often run important until children side feet car mile \
        night walk white sea began grow took river four carry state once book hear stop without second later miss \
        idea enough eat face watch far really almost let above girl sometimes mountain cut young talk soon list song \
        being leave family meeting project customer deadline budget review café naïve Zürich schedule release
        """.split(whereSeparator: \.isWhitespace).map(String.init)
}
