import CleanupSets
import DictationText
import TestSupport

/// How many texts that are not commands would be treated as edit commands. Each is said right after the one
/// before it in its set, which is the text that it would edit.
struct EditAlarms: Encodable {
    let set: String
    let texts: Int
    let alarms: [String]

    init(_ name: String, _ texts: [String]) {
        let readers = Language.all.map {
            (commands: EditCommands(language: $0), edit: TextEdit(language: $0))
        }
        set = name
        self.texts = texts.count
        alarms = texts.indices.filter { index in
            readers.contains { reader in
                guard case .command(let command, _) = reader.commands.reading(of: texts[index]) else {
                    return false
                }
                // "Change X to Y" is a command only if there is an X.
                let before = index > 0 ? texts[index - 1] : ""
                return !command.hasFreeWords || (try? reader.edit.apply(command, to: before)) != nil
            }
        }.map { texts[$0] }
    }

    /// Measures the spoken and the written texts of each set, and texts made of templates.
    static func measure(_ sets: [CleanupSet], made count: Int = 3_000) -> [EditAlarms] {
        var generator = SeededGenerator(seed: 17)
        let source = FluentTexts()
        return sets.map { EditAlarms($0.name, $0.pairs.map(\.spoken) + $0.pairs.map(\.written)) }
            + [EditAlarms("made", (0..<count).map { _ in source.text(using: &generator) })]
    }
}
