import Foundation
import TestSupport
import Testing

/// Gives a reader of files damaged ones, for a fixed time: each is made of good ones by a few random changes.
/// Any result of the reader is allowed, but it must not crash, must take no more than a second, and must name
/// the error in a line or a few. The good ones themselves it must accept: otherwise it would read no further than their flaw.
///
/// `make test-all` gives each reader 20 seconds, other runs one: `FUZZ_SECONDS`. `TEST_SEED` repeats a run. A crash
/// leaves its input in .build/fuzz.
struct Fuzzer {
    let subject: String
    /// Good files.
    let corpus: [[UInt8]]
    /// Words that readers look for: put in at random places.
    let words: [[UInt8]]

    private static let seconds =
        ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap { Double($0) } ?? 1
    /// Of this process's threads: another process may have the processor meanwhile.
    private static let longest = 1.0
    /// Inputs longer than this are cut: speed is more than size here.
    private static let most = 1 << 20

    init(_ subject: String, corpus: [[UInt8]], words: [String] = []) {
        self.subject = subject
        self.corpus = corpus
        self.words = words.map { Array($0.utf8) }
    }

    /// - Parameters:
    ///   - mayTakeAll: whether the reader passes over what it cannot read, and so refuses nothing.
    ///   - read: throws what the reader throws.
    func run(mayTakeAll: Bool = false, _ read: ([UInt8]) async throws -> Void) async throws {
        let seed = TestSeed.next()
        var generator = SeededGenerator(seed: seed)
        let folder = repositoryFile(".build/fuzz")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let input = "\(folder)/\(subject)"
        let end = ContinuousClock.now + .seconds(Self.seconds)
        for (number, good) in corpus.enumerated() {
            do { try await read(good) } catch {
                Issue.record("\(subject): the good file \(number) is refused: \("\(error)".prefix(400))")
            }
        }
        var (count, refused) = (0, 0)
        while ContinuousClock.now < end {
            let bytes = mutated(&generator)
            // For those who look why the process has ended.
            try Data(bytes).write(to: URL(fileURLWithPath: input))
            let began = ProcessorTime.process
            do {
                try await read(bytes)
            } catch {
                refused += 1
                let words = "\(error)"
                #expect(
                    !words.isEmpty && words.count < 4_000 && !words.unicodeScalars.contains { $0.value == 0 },
                    "\(subject), seed \(seed), input \(count): \(words.prefix(400))")
            }
            let taken = ProcessorTime.process - began
            count += 1
            guard taken < Self.longest else {
                let kept = "\(input)-slow-\(seed)-\(count)"
                try Data(bytes).write(to: URL(fileURLWithPath: kept))
                Issue.record("\(subject), seed \(seed): input \(count) took \(taken) s; it is \(kept)")
                return
            }
        }
        try FileManager.default.removeItem(atPath: input)
        print("fuzz: \(subject), seed \(seed): \(count) inputs, \(refused) of them refused")
        // A mutator that changes nothing, or a reader that reads nothing, would find nothing.
        #expect(count > 0 && (refused > 0 || mayTakeAll))
    }

    private func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = corpus.randomElement(using: &generator) ?? []
        // Mostly one or two: more of them are refused at once.
        for _ in 0..<(1 << Int.random(in: 0...3, using: &generator)) { change(&bytes, &generator) }
        return Array(bytes.prefix(Self.most))
    }

    /// Numbers at which counting goes wrong.
    private static let odd: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x20, 0x22, 0x5C]

    private func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let length = min(bytes.count - place, 1 << Int.random(in: 0...8, using: &generator))
        switch Int.random(in: 0...8, using: &generator) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
        case 1: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &generator) }
        case 2:
            for index in place..<(place + min(length, 8)) {
                bytes[index] = Self.odd.randomElement(using: &generator) ?? 0
            }
        case 3: bytes.removeSubrange(place..<(place + length))
        case 4: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
        case 5: bytes.removeLast(bytes.count - place)
        case 6:
            let other = corpus.randomElement(using: &generator) ?? []
            let start = Int.random(in: 0...other.count, using: &generator)
            bytes.replaceSubrange(place..<(place + length), with: other[start...].prefix(length * 2))
        case 7:
            if let word = words.randomElement(using: &generator) { bytes.insert(contentsOf: word, at: place) }
        default:
            // Nested things end somewhere.
            let piece = Array(bytes[place..<(place + min(length, 4))])
            let times = Int.random(in: 1...500, using: &generator)
            bytes.insert(contentsOf: (0..<times).flatMap { _ in piece }, at: place)
        }
    }
}
