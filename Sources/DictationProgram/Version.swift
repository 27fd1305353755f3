/// Which VoiceDictation this is: what `--version` of each program says, and the beginning of a package's version, which
/// `packaging/make-deb` ends with the number of commits.
package enum Version {
    package static let current = "0.1"
}
