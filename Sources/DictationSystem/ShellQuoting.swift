extension String {
    /// In single quotes, so that a shell reads it as one word without expansion.
    public var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
