import ArgumentParser
import CTaskThreads
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
        // As many as Swift itself takes, and two where there is one core. Without them all works as well, but
        // the agent wakes once a second.
        _ = ctaskthreads_install(Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
        await command.main()
    }
}
