import CleanupChoices

/// A style of the user's own.
public struct StyleSettings: SettingsSection {
    public static let name = "style"
    public static let about = """
        Your own styles for the language model in [polish]. polish.style, a profile, a [[hotkey]] or \
        dictstate start --style chooses one. Each answer is checked as with the other styles: one that adds, \
        drops or changes something is not used.
        """
    public static let keys = [
        SettingKey(
            \Self.name, "name", help: "Its name, in one word, such as \"letter\".",
            expectation:
                "a word of letters, digits, - and _, other than \(TextStyle.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            allowed: { name in
                TextStyle(rawValue: name) == nil
                    && name.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
            }),
        SettingKey(
            \Self.prompt, "prompt",
            help: """
                Your request to the model, in words: "It is a letter to an authority: formal, and in whole sentences." It \
                is added to the instruction to correct the text and to add nothing.
                """,
            expectation: "a text of 1 to 4000 characters",
            allowed: { ($0.isEmpty || !$0.allSatisfy(\.isWhitespace)) && $0.count <= 4_000 }),
    ]

    public var name = ""
    public var prompt = ""

    public init() {}
}

/// The name of a style: one that is known, or one of the user's own.
public struct StyleName: SettingValue {
    public let text: String

    public init(_ style: TextStyle) { text = style.rawValue }

    public static var expectation: String { "\(TextStyle.expectation), or the name of a [[style]]" }

    public init?(toml: TOMLValue) {
        guard case .string(let text) = toml, !text.isEmpty else { return nil }
        self.text = text
    }

    public var toml: String { text.toml }
}

extension Settings {
    /// The style of that name; nil if there is none.
    public func style(named name: String) -> WritingStyle? {
        TextStyle(rawValue: name).map(WritingStyle.known)
            ?? styles.first { $0.name == name }.map { .own(prompt: $0.prompt) }
    }

    /// The error for an unknown style, which lists the known ones; nil if there is a style of that name.
    public func problem(ofStyleNamed name: String) -> String? {
        guard style(named: name) == nil else { return nil }
        let all = TextStyle.allCases.map(\.rawValue) + styles.map(\.name)
        let meant = NearestName.nearest(to: name, among: all)
        return "there is no style “\(name)”; "
            + (meant.map { "did you mean “\($0)”?" } ?? "there are \(all.joined(separator: ", "))")
    }
}

extension LoadedSettings {
    /// Refuses a style without a name, and one that lacks a part, naming its place in the file.
    func checkStyles() throws(SettingsError) {
        var seen: Set<String> = []
        for (index, style) in values.styles.enumerated() {
            for (key, text) in [("name", style.name), ("prompt", style.prompt)] where text.isEmpty {
                throw problem(with: "style[\(index)].\(key)", "each [[style]] needs a name and a prompt")
            }
            guard seen.insert(style.name).inserted else {
                throw problem(with: "style[\(index)].name", "there is a [[style]] “\(style.name)” already")
            }
        }
        let named =
            [("polish.style", values.polish.style.text)]
            + values.profiles.enumerated().compactMap { index, profile in
                profile.style.value.map { ("profile[\(index)].style", $0.text) }
            }
            + values.hotkeys.enumerated().compactMap { index, hotkey in
                hotkey.style.isEmpty ? nil : ("hotkey[\(index)].style", hotkey.style)
            }
        for (key, name) in named {
            if let reason = values.problem(ofStyleNamed: name) { throw problem(with: key, reason) }
        }
    }
}
