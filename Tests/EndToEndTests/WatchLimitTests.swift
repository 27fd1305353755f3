import DictationSystem
import Foundation
import TestSupport
import Testing

/// Other programs have used up what the kernel lets a user watch: a namespace of its own has its own limit.
@Suite("Limits of inotify", .serialized, .timeLimit(.minutes(3)))
struct WatchLimitTests {
    private static func limited(
        _ limit: String, _ program: String, _ arguments: String..., on desk: Desk
    ) throws -> Program {
        let script = "echo 0 > /proc/sys/user/max_inotify_\(limit) && exec \"$@\""
        return try Program.start(
            "unshare", ["-r", "sh", "-c", script, "sh", BuildFolder.program(program)] + arguments,
            environment: desk.environment)
    }

    private static let isPermitted: Bool = {
        let script = "echo 9 > /proc/sys/user/max_inotify_watches"
        let child = ChildProcess(
            program: "unshare", arguments: ["-r", "sh", "-c", script], limit: .seconds(60), errors: .taken)
        return (try? child.runBlocking())?.1 == .exited(0)
    }()

    @Test(
        "no agent says that it is ready; it says what is used up, and how to raise the limit",
        .enabled(if: isPermitted, "this user may not make a user namespace"),
        arguments: ["instances", "watches"])
    func usedUp(limit: String) async throws {
        let desk = try await Desk.set()
        let message =
            "This user's inotify \(limit) are used up by other programs. Nothing was lost. Raise the limit: "
            + "sudo sysctl fs.inotify.max_user_\(limit)="
        let agents = [
            try Self.limited(limit, "host-agent", "--no-hotkey", on: desk),
            try Self.limited(limit, "insert-agent", "--to", desk.folder.file("notes.txt"), on: desk),
        ]
        for agent in agents {
            #expect(try await agent.exitCode == 1)
            #expect(agent.errors.contains("error: \(message)"), "\(agent.errors)")
            #expect(!agent.errors.contains("is ready"))
        }
        let doctor = try Self.limited(limit, "dictstate", "doctor", on: desk)
        #expect(try await doctor.exitCode == 1)
        #expect(doctor.output.contains("PROBLEM  inotify       \(message)"), "\(doctor.output)")
        await desk.end()
    }
}
