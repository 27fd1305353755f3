/// The version of VoiceDictation: `--version` of each program prints it, and a package's version begins with
/// it, which `packaging/make-deb` ends with the number of commits.
package enum Version {
    package static let current = "0.1"
}
