/// Where models come from.
public struct ModelsSettings: SettingsSection {
    public static let name = "models"
    public static let about =
        "Where host-agent models gets models from. Nothing is fetched unless that command is given."
    public static let keys = [
        SettingKey(
            \Self.catalogue, "catalogue",
            help:
                "The list of the models that there are: the absolute path of a file, or an address of http or https.",
            expectation: "an absolute path, an address of http or https, or \"\"",
            allowed: {
                $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("http://") || $0.hasPrefix("https://")
            }),
        SettingKey(
            \Self.address, "address",
            help: """
                Where the files of the catalogue are, for those that it gives relative addresses: a mirror of your own. \
                Empty for where the catalogue is.
                """,
            expectation: "an address of http or https, or \"\"",
            allowed: { $0.isEmpty || $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
    ]

    public var catalogue = ""
    public var address = ""

    public init() {}
}
