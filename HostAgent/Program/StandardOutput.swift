import DictationSystem
import Glibc

/// Prints texts without control characters, so that none of them changes colors, titles or the clipboard.
enum StandardOutput {
    /// What this program says, with names from catalogs, archives and files in it: escaped wherever it goes, as a pipe mostly
    /// ends at a terminal.
    static func say(_ text: String) { print(text.displaySafe) }

    /// A text that the user asked for, as from a recording: as it is into a pipe or a file, escaped on a terminal.
    static func write(_ text: String) { print(isatty(STDOUT_FILENO) == 1 ? text.displaySafe : text) }
}
