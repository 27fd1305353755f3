import Desktop
import DictationSettings
import DictationSystem
import DictationText

/// Looks for names on the screen when a dictation begins. It keeps only the names of the screen that
/// it returns.
struct ScreenReader: Sendable {
    /// Nil if selections cannot be read.
    var selections: (any SelectionReading)?
    /// Reads native windows of a Wayland session; nil if they cannot be read.
    var native: (any FocusReading & SelectionReading)?

    /// A program that takes longer to report its selection may hang, and the first words wait. A busy one
    /// needs half a second.
    private static let patience = Duration.seconds(1)

    /// - Parameters:
    ///   - window: the focused X11 window; nil if none has the focus.
    ///   - wanted: says what may be read in a window.
    func terms(
        in window: WindowInfo?, language: Language, _ wanted: (WindowInfo) -> SpeechContext
    ) async -> [String] {
        var focused = window
        if focused == nil { focused = try? await native?.focusedWindow() }
        guard let window = focused, !window.keepsSecrets else { return [] }
        switch wanted(window) {
        case .off: return []
        case .window: return ScreenTerms.found(inTitle: window.title, language: language)
        case .selection:
            return ScreenTerms.found(
                inTitle: window.title, selection: await selection(in: window), language: language)
        }
    }

    /// Empty if nothing is selected in the window, or cannot be read in time.
    private func selection(in window: WindowInfo) async -> String {
        let selections: (any SelectionReading)? = if window.isNative { native } else { selections }
        guard let selections else { return "" }
        let (answers, answer) = AsyncStream.makeStream(of: SelectedText?.self)
        let reading = Task { answer.yield(try? await selections.selectedText(in: window)) }
        let limit = Task {
            try await pause(for: Self.patience)
            answer.yield(nil)
        }
        defer {
            reading.cancel()
            limit.cancel()
        }
        for await case .text(let text)? in answers.prefix(1) { return text }
        return ""
    }
}

extension WindowInfo {
    /// Whether it shows passwords, or private content: then nothing in it is read.
    var keepsSecrets: Bool {
        let windowClass = windowClass.lowercased()
        return Self.passwordManagers.contains { windowClass.contains($0) }
            || Self.privateTitles.contains { title.lowercased().contains($0) }
    }

    /// Parts of their window classes, in lower case.
    private static let passwordManagers = [
        "keepass", "bitwarden", "1password", "enpass", "lastpass", "dashlane", "protonpass", "proton pass",
        "seahorse", "kwalletmanager", "passwordsafe", "qtpass", "gnome-secrets", "org.gnome.world.secrets",
    ]
    /// Of browsers' private windows.
    private static let privateTitles = ["private browsing", "(private)", "inprivate", "incognito"]
}
