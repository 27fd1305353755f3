/// Where models come from.
public struct ModelsSettings: SettingsSection {
    public static let name = "models"
    public static let about = """
        The source of models for host-agent models. Nothing is fetched unless you run that command.
        """
    public static let keys = [
        SettingKey(
            \Self.catalogue, "catalogue",
            help: "The catalog of models: the absolute path of a file, or an address of http or https.",
            expectation: "an absolute path, an address of http or https, or \"\"",
            allowed: {
                $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("http://") || $0.hasPrefix("https://")
            }),
        SettingKey(
            \Self.address, "address",
            help: """
                The base of the relative addresses in the catalog, such as your own mirror. Empty uses the \
                address of the catalog itself.
                """,
            expectation: "an address of http or https, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
    ]

    public var catalogue = ""
    public var address = ""

    public init() {}
}
