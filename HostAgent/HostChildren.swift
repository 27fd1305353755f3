import ArgumentParser

/// Commands that the host starts in a process of their own.
package enum HostChildren {
    package static let commands: [any ParsableCommand.Type] = [
        RecognizeRecordingCommand.self, TryModelCommand.self,
    ]
}
