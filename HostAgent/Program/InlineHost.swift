import DictationHost
import DictationService
import DictationShared
import Logging
import ServiceLifecycle

/// The host's part in a process that types as well. It takes the host's role at once if no process has it;
/// otherwise as soon as the process that has it ends.
struct InlineHost: Service {
    private let context: AgentContext
    /// Nil while another process has the role.
    private let agent: DictationAgent?
    /// The next step, for the user.
    let readyMessage: String

    /// - Throws: what ``DictationAgent/make(_:hotkey:)`` does, if the role is free.
    init(_ context: AgentContext) async throws {
        self.context = context
        do {
            try await context.assume(RoleLock(.host, in: context.group))
            let (agent, message) = try DictationAgent.make(context)
            self.agent = agent
            readyMessage = "It records as well. \(message)"
        } catch let taken as RoleLock.Taken {
            agent = nil
            let process = taken.pid.map { " (process \($0))" } ?? ""
            readyMessage = "A host-agent\(process) records. This process types, and takes over when it ends."
        }
    }

    func run() async throws {
        if let agent { return try await agent.run() }
        for try await lock in RoleLock.whenFree(.host, in: context.group).cancelOnGracefulShutdown() {
            try await context.assume(lock)
            // Typing continues, even if another program has the key.
            let (agent, message) = try DictationAgent.make(context, hotkey: .wished)
            context.logger.notice("host-agent has ended: this process records now. \(message)")
            try await agent.run()
        }
    }
}
