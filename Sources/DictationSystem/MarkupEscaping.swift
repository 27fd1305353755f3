extension String {
    /// For what may have markup: the body of a notification, and the tooltip of the tray or of a status bar (Pango).
    public var markupEscaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
