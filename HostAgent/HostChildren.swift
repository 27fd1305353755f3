import ArgumentParser

/// Commands that the host starts in a process of their own: each program that may be a host has them.
package enum HostChildren {
    package static let commands: [any ParsableCommand.Type] = [
        RecognizeRecordingCommand.self, TryModelCommand.self,
    ]
}
