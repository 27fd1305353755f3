extension Int {
    /// The number with its noun, for messages: “1 text”, “2 texts”.
    ///
    /// - Parameters:
    ///   - noun: in the singular.
    ///   - plural: the noun with an s if nothing else is given.
    public func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
