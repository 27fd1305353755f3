import ArgumentParser
import DictationSettings
import DictationShared

/// How the dictation that a command begins differs from the settings; a `[[hotkey]]` section says the same.
struct DictationChoices: ParsableArguments {
    static let discussion = """
        The options concern this dictation alone; without them the settings decide. A model that must be loaded first is \
        loaded while you speak: nothing that you say is lost.
        """

    @Option(help: "The spoken language, such as de-DE.")
    var locale: String?
    @Option(help: "The engine that recognizes it.")
    var engine: SpeechEngine?
    @Option(help: "The model: a name from “host-agent models list”, or the path of its folder.")
    var model: String?
    @Option(help: "How the text is written, as in polish.style.")
    var style: String?
    @Option(help: "The name of a [[profile]], which is used for any window.")
    var profile: String?
    @Option(help: "Use all options of the [[hotkey]] section with this key, such as shift+F9.")
    var hotkey: String?
    @Flag(
        name: .customLong("live"),
        help: "Type while you speak, even if insert.live is \"off\" (then by segments).")
    var isLive = false
    @OptionGroup var privacy: PrivacyOptions

    var options: StartOptions {
        StartOptions(
            hotkey: hotkey, locale: locale, engine: engine?.rawValue, model: model, style: style,
            profile: profile, isPrivate: privacy.isPrivate, isLive: isLive)
    }

    func validate() throws {
        for (name, value) in [
            ("--locale", locale), ("--model", model), ("--style", style), ("--profile", profile),
            ("--hotkey", hotkey),
        ] where value?.isEmpty == true {
            throw ValidationError("\(name) needs a value; leave it out for what the settings say.")
        }
    }
}
