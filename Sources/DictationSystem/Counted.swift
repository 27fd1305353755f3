extension Int {
    /// The number with its noun, for messages: “1 text”, “2 texts”.
    ///
    /// - Parameters:
    ///   - noun: in the singular.
    ///   - plural: by default the noun with an s.
    public func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
