/// Where models come from.
public struct ModelsSettings: SettingsSection {
    public static let name = "models"
    public static let about = """
        Where host-agent models gets its models. Nothing is fetched unless you give that command.
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
                Where the catalog's files are if it gives relative addresses: a mirror of your own. Empty for the \
                place of the catalog.
                """,
            expectation: "an address of http or https, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
    ]

    public var catalogue = ""
    public var address = ""

    public init() {}
}
