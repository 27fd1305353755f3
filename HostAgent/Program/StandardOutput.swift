import DictationSystem
import Glibc

/// Prints texts that came from outside: as they are into a pipe or a file, and on a terminal without control characters,
/// so that none of them changes colors, titles or the clipboard.
enum StandardOutput {
    static func say(_ text: String) { print(isatty(STDOUT_FILENO) == 1 ? text.displaySafe : text) }
}
