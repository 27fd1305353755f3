import Foundation

/// The browser, which packaging/install-dependencies installs on Debian. Ubuntu has no package of it: there, the tests go without.
public enum Chromium {
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
}
