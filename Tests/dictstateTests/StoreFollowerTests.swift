import DictationProgram
import DictationShared
import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

@testable import dictstate

@Suite("Following the store while an agent is waited for", .timeLimit(.minutes(2)))
struct StoreFollowerTests {
    private let folder: TemporaryFolder
    private let session: Session

    init() throws {
        folder = try TemporaryFolder("follower")
        let group = try AppGroup(folder: URL(filePath: folder.path).appending(path: "group"))
        session = Session(group, try StateStore(group: group))
    }

    @Test("what an agent has written last is found, however soon it has ended")
    func lastWords() throws {
        let lock = try FileLock(path: session.group.lock(of: .host).path)
        try lock.lock()
        for _ in 0..<100 {
            let agent = try StartedProcess("sleep", ["1000"])
            defer {
                agent.signal(SIGKILL)
                agent.reap()
            }
            lock.setNote("\(agent.id)\n")
            let intent = try session.store.submit(.record(.toggle()))
            let follower = try StoreFollower(session, since: intent.revision, waitingFor: .host)
            var hasEnded = false
            let phase = try follower.wait { _ -> Intent.Phase? in
                if hasEnded {
                    let phase = try session.store.intent(intent.id)?.phase
                    return phase == .pending ? nil : phase
                }
                agent.signal(SIGKILL)
                agent.waitUntilEnded()
                // After its end, so that no process is notified of this sooner.
                try session.store.answer(intent.id, .refused("it ends"))
                hasEnded = true
                return nil
            }
            try #require(phase == .refused("it ends"))
        }
    }

    @Test("one that ended before it was followed is not waited for")
    func goneAlready() throws {
        let intent = try session.store.submit(.record(.toggle()))
        let follower = try StoreFollower(session, since: intent.revision, waitingFor: .host)
        #expect(throws: CommandProblem.self) {
            try follower.wait(within: .seconds(60)) { _ -> Bool? in nil }
        }
    }
}
