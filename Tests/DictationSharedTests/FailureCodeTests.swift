import Foundation
import TestSupport
import Testing

@testable import DictationShared

@Suite("Failure codes")
struct FailureCodeTests {
    /// As they are in stores and scripts out there: a line may come, none may go or change.
    private static let words = """
        no-microphone unusable-microphone microphone-lost microphone-silent unreadable-audio recording-failed \
        conversion-failed model-missing model-unusable engine-missing engine-unfit engine-failed server-failed \
        unsupported-locale feature-missing unusable-word already-transcribing speech-failed no-speech no-voice \
        no-words host-died recovery-failed recovered not-polished not-cleaned slow-pattern copied method-fallback
        """

    @Test("have the words that stores and scripts know")
    func rawValues() {
        #expect(
            Set(Self.words.split(separator: " ").map(String.init)).isSubset(
                of: FailureCode.allCases.map(\.rawValue)))
    }

    @Test(
        "a recording that was never recognized is tried again, also when the recognizer was missing",
        arguments: [
            FailureCode.serverFailed, .engineMissing, .engineUnfit, .modelMissing, .modelUnusable,
            .engineFailed,
            .hostDied, .recoveryFailed, .speechFailed, .unsupportedLocale,
        ])
    func unheard(code: FailureCode) { #expect(code.leavesRecordingUnheard) }

    @Test(
        "a recording that was heard is not tried again unasked",
        arguments: [
            FailureCode.noSpeech, .microphoneMuted, .noVoice, .noWords, .microphoneLost, .recordingFailed,
            .unreadableAudio,
        ])
    func heard(code: FailureCode) { #expect(!code.leavesRecordingUnheard) }

    @Test("a missing recognizer never counts as an attempt at a recording that was heard")
    func missing() {
        for code in FailureCode.allCases where code.isOfMissingRecognizer {
            #expect(code.leavesRecordingUnheard, "\(code)")
        }
    }

    @Test("a code of a newer version is kept in the store as it is")
    func unknown() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
        let failure = DictationFailure(stored: "moon-in-the-way", message: "Wait.", kept: "the recording")
        try store.apply(.failed(failure), to: id)
        let state = try #require(try store.dictation(id))
        #expect(state.error == failure)
        #expect(state.error?.knownCode == nil)
    }
}
