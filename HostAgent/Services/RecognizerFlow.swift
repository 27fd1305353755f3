/// Which recognizer is current, which is being prepared, and which are retiring: events in, effects out; no clock, no
/// model.
///
///     wanted: another one ──► prepare it next to the current one
///     prepared ─────────────► use it: it is current from the next dictation on
///     cannot be used ───────► keep the current one, unless that is no better
///     dictation ended ──────► the last one of a recognizer that is no longer current: release it
///
/// Each recognizer has a number, by which a late answer is recognized and dropped.
struct RecognizerFlow: Equatable {
    typealias Number = Int

    /// How well a recognizer fits the request.
    enum Health: Equatable {
        case loading
        case good
        /// It cannot recognize, or another engine recognizes instead.
        case poor(reason: String)
    }

    enum Event: Equatable {
        /// The settings and the files as they are now.
        case wanted(RecognizerChoice)
        case prepared(Number, Health)
        /// A dictation that began with this recognizer has ended.
        case ended(Number)
    }

    enum Effect: Equatable {
        case prepare(Number, RecognizerChoice)
        case use(Number)
        /// The current one stays, since the other one cannot be used.
        case keep(reason: String)
        case release(Number)
    }

    private struct Recognizer: Equatable {
        let number: Number
        let choice: RecognizerChoice
    }

    private var current: Recognizer
    private var health = Health.loading
    private var preparing: Recognizer?
    /// The recognizer that could not be used. It is tried again when the settings or its files have changed.
    private var refused: RecognizerChoice?
    /// Dictations that have not ended, by their recognizer.
    private var dictations: [Number: Int] = [:]
    private var lastNumber = 1

    /// - Parameter choice: of the first recognizer, number 1, which is current before it is loaded.
    init(_ choice: RecognizerChoice) { current = Recognizer(number: 1, choice: choice) }

    /// The recognizer of a dictation that begins now.
    var currentNumber: Number { current.number }
    var currentChoice: RecognizerChoice { current.choice }

    /// A dictation begins with the current recognizer, and keeps it to its end.
    mutating func begin() -> Number {
        dictations[current.number, default: 0] += 1
        return current.number
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .wanted(let choice): want(choice)
        case .prepared(let number, let health): take(number, health)
        case .ended(let number): end(number)
        }
    }

    private mutating func want(_ choice: RecognizerChoice) -> [Effect] {
        guard choice != preparing?.choice else { return [] }
        let superseded = preparing.map { [Effect.release($0.number)] } ?? []
        preparing = nil
        if choice == current.choice {
            refused = nil
            return superseded
        }
        guard choice != refused else { return superseded }
        refused = nil
        lastNumber += 1
        preparing = Recognizer(number: lastNumber, choice: choice)
        return superseded + [.prepare(lastNumber, choice)]
    }

    private mutating func take(_ number: Number, _ health: Health) -> [Effect] {
        if number == current.number {
            self.health = health
            return []
        }
        guard let new = preparing, new.number == number else { return [] }
        preparing = nil
        // Recognizing one language as another does not help, and two failing recognizers are equal.
        if case .poor(let reason) = health, self.health == .good,
            new.choice.language == current.choice.language
        {
            refused = new.choice
            return [.keep(reason: reason), .release(number)]
        }
        let old = current.number
        (current, self.health) = (new, health)
        return [.use(number)] + (dictations[old] == nil ? [.release(old)] : [])
    }

    private mutating func end(_ number: Number) -> [Effect] {
        guard let count = dictations[number] else { return [] }
        dictations[number] = count > 1 ? count - 1 : nil
        return count == 1 && number != current.number ? [.release(number)] : []
    }
}
