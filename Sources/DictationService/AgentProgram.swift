import ArgumentParser
import CTaskThreads
// An agent is a program like each of the others.
@_exported import DictationProgram
import DictationSystem
import Foundation

/// Where an agent's process begins.
///
/// ```swift
/// @main
/// enum Program {
///     @MainActor
///     static func main() async { await AgentProgram.run(RunCommand.self) }
/// }
/// ```
public enum AgentProgram {
    /// Runs a command, its tasks on threads that sleep while there is nothing to do.
    ///
    /// On the main actor, so that no other task has begun yet.
    @MainActor
    public static func run(_ command: any AsyncParsableCommand.Type) async {
        ProgramStart.prepare()
        // As many as Swift itself takes, and two where there is one core. Without them all works as well, but
        // the agent wakes once a second.
        _ = ctaskthreads_install(Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
        do {
            var parsed = try await command.asyncParseAsRoot()
            if var asynchronous = parsed as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try parsed.run()
            }
            command.end()
        } catch {
            command.end(with: error)
        }
    }
}
