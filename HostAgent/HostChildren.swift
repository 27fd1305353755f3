import ArgumentParser

/// What the host starts its own program for, in a process of its own: each program that may be a host has these commands.
package enum HostChildren {
    package static let commands: [any ParsableCommand.Type] = [
        RecognizeRecordingCommand.self, TryModelCommand.self,
    ]
}
