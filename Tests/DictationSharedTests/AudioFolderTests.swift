import DictationShared
import Foundation
import Testing

@Suite("Recordings in the app group")
struct AudioFolderTests {
    private static let day: TimeInterval = 86_400

    /// Dictations of today, yesterday, … the newest one first.
    private func dictations(_ count: Int, until now: Date) -> [DictationID] {
        (0..<count).map { DictationID(date: now.addingTimeInterval(-Double($0) * Self.day)) }
    }

    @Test(
        "a policy keeps what it says, and no more",
        arguments: [
            (.never, 0), (.days(0), 1), (.days(2), 3), (.days(30), 5), (.count(0), 0), (.count(2), 2),
            (.count(5), 5), (.count(99), 5), (.days(-1), 1), (.count(-1), 0),
        ] as [(AudioRetention, Int)])
    func policies(retention: AudioRetention, kept: Int) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let all = dictations(5, until: now)
        let superfluous = retention.superfluous(among: all.shuffled(), at: now)
        #expect(Set(superfluous) == Set(all.dropFirst(kept)))
    }

    @Test("a recording from the future, after a clock was set back, is kept")
    func future() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let tomorrow = DictationID(date: now.addingTimeInterval(Self.day))
        #expect(AudioRetention.days(1).superfluous(among: [tomorrow], at: now).isEmpty)
    }

    @Test("an identifier tells when its dictation began", arguments: [0, 1_800_000_000.123, 1_763_740_800])
    func dates(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(abs(DictationID(date: date).date.timeIntervalSince(date)) < 0.001)
    }

    @Test("the names of the files say what they are; foreign ones are left alone")
    func contents() throws {
        let test = try TestGroup()
        let audio = try test.store().group.audioFiles
        let (spoken, delivered, rest) = (DictationID(), DictationID(), DictationID())
        let names = [
            "\(spoken).wav", "\(spoken).attempts", "\(delivered).delivered.wav", "\(rest).wav.new",
            "notes.txt", "holiday.wav", "\(rest).mp3",
        ]
        for name in names { try Data("x".utf8).write(to: audio.folder.appending(path: name)) }
        #expect(
            try audio.contents()
                == .init(recordings: [spoken], delivered: [delivered], remains: [rest]))
        for id in [spoken, delivered, rest] { audio.remove(id) }
        let left = try FileManager.default.contentsOfDirectory(atPath: audio.folder.path)
        #expect(Set(left) == ["notes.txt", "holiday.wav", "\(rest).mp3"])
    }

    @Test(
        "a delivered recording is removed or kept, as the settings say",
        arguments: [(.never, 0), (.count(2), 2), (.days(1), 3)] as [(AudioRetention, Int)])
    func delivering(retention: AudioRetention, kept: Int) throws {
        let test = try TestGroup()
        let audio = try test.store().group.audioFiles
        let ids = (0..<3).map { _ in DictationID() }
        for id in ids {
            try Data("sound".utf8).write(to: audio.recording(of: id))
            audio.noteAttempt(at: id)
            audio.deliver(id, retention: retention)
        }
        #expect(try audio.contents().recordings.isEmpty)
        #expect(try audio.contents().remains.isEmpty)
        #expect(try audio.contents().delivered.count == kept)
        // Delivered again, after it was typed again: nothing changes.
        for id in ids { audio.deliver(id, retention: retention) }
        #expect(try audio.contents().delivered.count == kept)
    }

    @Test("attempts are counted across processes that die in them")
    func attempts() throws {
        let test = try TestGroup()
        let audio = try test.store().group.audioFiles
        let id = DictationID()
        #expect(audio.attempts(at: id) == 0)
        for _ in 0..<3 { audio.noteAttempt(at: id) }
        #expect(AudioFolder(folder: audio.folder).attempts(at: id) == 3)
        audio.forgetAttempts(at: id)
        #expect(audio.attempts(at: id) == 0)
    }
}
