import DictationShared
import Foundation
import TestSupport

@testable import StoreTorture

/// Waiting for events, and for the end of work.
extension Workshop {
    /// Waits for a moment of the work; if it never comes, until the work is over.
    func wait(
        for moment: TorturePlan.Moment, among known: Set<DictationID>, asked: Set<Int64>,
        charactersBefore before: Int
    ) async {
        let started = log.now.history.count
        @Sendable func isOver(_ contents: StoreLog.Contents) -> Bool {
            contents.history.count > started && contents.isSettled
                && contents.intents.values.allSatisfy { $0.phase != .pending && $0.phase != .taken }
        }
        switch moment {
        case .given: break
        case .reached(let stage):
            _ = await log.wait(within: Self.limit) { contents -> Bool? in
                let isReached = contents.dictations.values.contains { state in
                    !known.contains(state.id) && TorturePlan.Stage(of: state) >= stage
                }
                return isReached || isOver(contents) ? true : nil
            }
        case .arrived(let count):
            guard let window else { return }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await window.waitForText { $0.count >= before + count } }
                group.addTask { [log] in
                    _ = await log.wait(within: Self.limit) { isOver($0) ? true : nil }
                }
                await group.next()
                group.cancelAll()
            }
        case .heard(let count):
            _ = await log.wait(within: Self.limit) { $0.heard >= count ? true : nil }
        case .asked:
            _ = await log.wait(within: Self.limit) { contents -> Bool? in
                contents.intents.values.contains { intent in
                    if case .edit = intent.action { !asked.contains(intent.id) } else { false }
                } ? true : nil
            }
        case .settled:
            _ = await log.wait(within: Self.limit) { isOver($0) ? true : nil }
        }
    }

    /// Waits until the recordings of a dead host are recognized, or have failed with a reason of their own.
    func waitUntilHeard(_ sound: [String: Int]) async throws {
        let ids = sound.keys.compactMap { DictationID(String($0.dropLast(4))) }
        let areHeard = await log.wait(within: Self.limit) { contents -> Bool? in
            ids.allSatisfy { id in
                guard let state = contents.dictations[id], !state.isUnfinished else { return false }
                // The host has ended the row, and has yet to listen to the sound.
                return state.error?.code != "host-died"
            } ? true : nil
        }
        guard areHeard == true else {
            throw Failure(description: "within \(Self.limit) nobody has listened to \(sound)")
        }
    }

    /// Makes the window hang, in the background.
    func stopWindow(_ standstill: TorturePlan.Standstill) -> Task<Void, any Error> {
        Task { [window, log] in
            // The moment and the length of the hang are the point of the test.
            try await Task.sleep(for: .milliseconds(standstill.delay))
            window?.signal(SIGSTOP)
            log.note("the window stands still")
            try await Task.sleep(for: .milliseconds(standstill.length))
            window?.signal(SIGCONT)
            log.note("the window goes on")
        }
    }

    /// Asks for the rest of a new text as soon as it is held, in the background.
    func askForRest(notOf known: Set<DictationID>) -> Task<Void, Never> {
        Task { [store, log] in
            let held = await log.wait(within: Self.limit) { contents in
                contents.inOrder.first { !known.contains($0.id) && $0.delivery == .held(.notResponding) }
            }
            guard let held, !Task.isCancelled else { return }
            log.note("the user asks for the rest")
            do { _ = try store.submit(.insert(held.id)) } catch { log.note("nobody can be asked: \(error)") }
        }
    }

    /// Waits until the window has read all keys: until then, those that it had not read in time are noted on
    /// the display.
    func waitUntilRead() async throws {
        let list = ["-root", "_VOICEDICTATION_TYPISTS"]
        // Three numbers are the inserter that runs.
        @Sendable func isOfOne(_ line: String) -> Bool {
            line.contains("=") && line.split(separator: ",").count <= 3
        }
        let notes = try Program.start("xprop", ["-spy"] + list, environment: environment)
        do {
            try await notes.waitForLine(within: Self.limit) { !$0.isEmpty }
            // It looks before it watches: what happens in between, a second look sees.
            let now = try await Program.run("xprop", list, environment: environment)
            if !isOfOne(now) { try await notes.waitForLine(within: Self.limit, where: isOfOne) }
        } catch {
            await notes.end()
            throw Failure(description: "the window reads again, and keys are still kept for it: \(error)")
        }
        await notes.end()
        try await waitUntilSettled()
    }

    func waitUntilSettled() async throws {
        let ids = try inOrder().map(\.id)
        let isSettled = await log.wait(within: Self.limit) { contents -> Bool? in
            contents.failure != nil
                || ids.allSatisfy { contents.dictations[$0] != nil } && contents.isSettled
                    && contents.intents.values.allSatisfy { $0.phase != .pending && $0.phase != .taken }
                ? true : nil
        }
        if let failure = log.now.failure { throw Failure(description: failure) }
        guard isSettled == true else {
            throw Failure(description: "after \(Self.limit) something is still stuck")
        }
    }
}
