import CLinux
import Glibc

extension Character {
    /// How many columns of a terminal it takes: 2 for most East Asian characters and emoji, 0 for what is not printed.
    /// By the locale, which the program is to have set (`setlocale(LC_CTYPE, "")`).
    public var terminalColumns: Int {
        unicodeScalars.reduce(0) { max($0, Int(clinux_columns(wchar_t(bitPattern: $1.value)))) }
    }
}
