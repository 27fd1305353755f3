import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("Watching paths", .timeLimit(.minutes(5)))
struct PathWatchTests {
    @Test(
        "a look that is asked for comes, also at the moment at which a file is begun, which is no reason to look"
    )
    func asked() async throws {
        let folder = try TemporaryFolder("watched")
        let watch = try PathWatch { [file = folder.file("file")] in .init(files: [file]) }
        let looks = Observed(0)
        startThread(named: "path-watch") { try? watch.run { looks.change { $0 += 1 } } }
        defer { watch.stop() }
        for number in 0..<5_000 {
            let before = looks.value
            // One that is never closed gives no further events.
            try #require(mkfifo(folder.file("\(number)"), 0o600) == 0)
            // The watch wakes at some time of these.
            let instant = ContinuousClock.now + .microseconds(number % 100)
            while .now < instant {}
            watch.lookAgain()
            let hasLooked: Bool? = await looks.wait(within: Program.defaultLimit) { $0 > before ? true : nil }
            try #require(hasLooked == true, "file \(number)")
        }
    }
}
