import CLinux
import Glibc

extension Character {
    /// Its width in terminal columns: 2 for most East Asian characters and emoji, 0 for unprintable ones.
    /// Depends on the locale, which the program must have set (`setlocale(LC_CTYPE, "")`).
    public var terminalColumns: Int {
        unicodeScalars.reduce(0) { max($0, Int(clinux_columns(wchar_t(bitPattern: $1.value)))) }
    }
}
