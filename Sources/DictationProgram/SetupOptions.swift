import ArgumentParser

/// A step of the guided setup.
public enum SetupStep: String, CaseIterable, Sendable, ExpressibleByArgument {
    case microphone, hotkey, bindings, windows, language, model, agents, test
}

/// The words and options that `host-agent setup` shares with `dictstate setup`, which becomes the former.
public struct SetupOptions: ParsableArguments {
    public static let abstract =
        "Set up dictation step by step: from the microphone to a first dictated sentence."
    public static let discussion = """
        Runs in a terminal. Each step shows the current state and a default: Enter accepts it, s skips the \
        step, b goes back, q quits; the arrow keys choose. In a Wayland session, the step “bindings” makes \
        the compositor report the hotkey: it shows the lines first, and with --yes it writes them only if \
        you name the step. In a session of GNOME or KDE, the step “windows” turns on the setting that Qt \
        programs need to get text; with --yes only if you name the step. Everything can be set again at any \
        time. If you name steps, only these run: dictstate setup microphone model. Exit codes: 0 done, 1 \
        something is missing, 64 wrong usage or no terminal, 78 the settings have an error.
        """

    @Flag(help: "Accept the defaults without a question, and print one line per step.")
    public var yes = false

    @Flag(help: "Remove the key bindings that setup has added to the compositor's configuration, and end.")
    public var removeBindings = false

    @Argument(
        help: ArgumentHelp("The steps to run. If you name none, all that apply here.", valueName: "step"))
    public var steps: [SetupStep] = []

    public init() {}
}
