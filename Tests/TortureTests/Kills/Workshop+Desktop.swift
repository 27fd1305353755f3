import DictationShared
import Foundation
import TestSupport

@testable import StoreTorture

/// The checks of the window, the keyboard and the clipboard afterward.
extension Workshop {
    func checkWindow() async throws {
        guard let window else { return }
        let (expected, removes) = (expectation, removesText)
        let seen: String
        do {
            // A window that shows its keys late is on its way through all that was typed and removed.
            seen = try await window.waitForText(within: Self.limit) {
                let text = $0.applyingBackSpaces
                return text == expected.text || !removes && expected.fault(in: text) != nil
            }.applyingBackSpaces
        } catch let error as TextWindowError {
            let text = error.text.applyingBackSpaces
            throw Failure(
                description: expected.fault(in: text)
                    ?? "lost: the window has \(text.count) of \(expected.text.count) characters")
        }
        if let fault = expected.fault(in: seen) { throw Failure(description: fault) }
    }

    /// Reads the text that was typed since the last call. If the store says that a paste may have arrived, the
    /// window shows whether it has.
    func takeIn(_ states: [DictationState]) async throws {
        var possible = expectation.adding(states)
        expectation = possible[0]
        guard let window, possible.count > 1 else { return }
        try await display.xdotool("key", "q")
        for index in possible.indices { possible[index].add(key: hasCapsLock ? "Q" : "q") }
        let seen: String
        do {
            seen = try await window.waitForText(within: Self.limit) { [possible, removesText] received in
                let text = received.applyingBackSpaces
                return possible.contains { $0.isMet(by: text) }
                    || !removesText && possible.allSatisfy { $0.fault(in: text) != nil }
            }.applyingBackSpaces
        } catch let error as TextWindowError {
            throw Failure(description: "lost, beside a paste that may have arrived: \(error.text)")
        }
        guard let met = possible.first(where: { $0.isMet(by: seen) }) else {
            let faults = possible.compactMap { $0.fault(in: seen) }
            throw Failure(description: "a paste has arrived otherwise: \(faults.joined(separator: "; or "))")
        }
        expectation = met
        log.note("a paste that nobody was sure of: the window has \(seen.count) characters")
    }

    /// The user's key comes after everything that was typed before it, and shows whether a modifier is held.
    func pressSentinel() async throws {
        try await display.xdotool("key", "q")
        expectation.add(key: "q")
        try await checkWindow()
    }

    func checkKeyboard(hasCapsLock: Bool) async throws {
        if hasCapsLock {
            try await display.xdotool("key", "q")
            expectation.add(key: "Q")
            try await checkWindow()
            try await display.xdotool("key", "Caps_Lock")
        }
        try await pressSentinel()
        let map = try await Program.run("xmodmap", ["-pke"], environment: display.environment)
        guard map == keyboardMap else { throw Failure(description: "the keyboard map is changed:\n\(map)") }
    }

    // MARK: The clipboard

    /// The user copies something.
    func copyOwnWords() async throws {
        await clipboard?.end()
        copies += 1
        clipboard = try await display.copy(ownWords)
    }

    private var ownWords: String { "what I have copied myself, \(copies)" }

    /// The clipboard has what the user has copied: after kills of an inserter, and after an undisturbed paste.
    func checkClipboard() async throws {
        let found = try await display.clipboardText()
        guard found == ownWords else {
            throw Failure(description: "the clipboard has “\(found ?? "nothing")” after a kill")
        }
        try await copyOwnWords()
        let id = try store.add(text: "Nobody is killed here. ", locale: "und").id
        let state = await log.wait(within: Self.limit) { contents -> DictationState? in
            contents.dictations[id].flatMap { $0.isUnfinished ? nil : $0 }
        }
        guard state?.delivery == .inserted else {
            throw Failure(description: "a text that nobody disturbs is not pasted: \(state?.delivery as Any)")
        }
        try await takeIn(try inOrder())
        try await checkWindow()
        let kept = try await display.clipboardText()
        guard kept == ownWords else {
            throw Failure(description: "the clipboard has “\(kept ?? "nothing")” after a paste")
        }
    }
}
