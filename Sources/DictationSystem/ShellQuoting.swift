extension String {
    /// In single quotes, so that a shell takes it as one word and reads nothing in it.
    public var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
