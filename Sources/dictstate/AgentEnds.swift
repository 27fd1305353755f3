import DictationShared
import DictationSystem

/// The ends of the agents that run, as something to wait for.
struct AgentEnds {
    private let group: AppGroup
    private let roles: [AgentRole]
    private var ends: [AgentRole: ProcessEnd] = [:]

    init(_ roles: [AgentRole], in group: AppGroup) throws {
        self.group = group
        self.roles = roles
        try lookForNewOnes()
    }

    /// Finds agents that were started since.
    mutating func lookForNewOnes() throws {
        for role in roles where ends[role] == nil {
            guard let pid = try RoleLock.holder(of: role, in: group)?.pid else { continue }
            // One that has ended by now is noticed by its lock.
            ends[role] = try? ProcessEnd(of: pid)
        }
    }

    /// For ``waitUntilReadable(_:timeout:)``.
    var waited: [Int32] { ends.values.map(\.raw) }

    func hasEnded(among ready: [Int32]) -> Bool { ends.values.contains { ready.contains($0.raw) } }

    mutating func forgetEnded(among ready: [Int32]) { ends = ends.filter { !ready.contains($1.raw) } }
}
