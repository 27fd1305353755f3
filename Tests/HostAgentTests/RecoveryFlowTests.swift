import DictationShared
import Testing

@testable import DictationHost

@Suite("When leftover recordings are recognized")
struct RecoveryFlowTests {
    @Test(
        "is decided by what shows that a recognizer is back",
        arguments: [
            [(.started, true)],
            [(.earlierHostEnded, true)],
            [(.dictationRecognized, false)],
            // The server answers again.
            [
                (.started, true), (.ended(isUnheard: true), false), (.dictationRecognized, true),
                (.ended(isUnheard: false), false), (.dictationRecognized, false),
            ],
            [(.dictationFailed(.serverFailed), false), (.dictationRecognized, true)],
            [(.dictationFailed(.noSpeech), false), (.dictationRecognized, false)],
            [(.dictationFailed(nil), false), (.dictationRecognized, false)],
            // A server that takes dictations, but not this recording, is not asked after each of them.
            [
                (.dictationFailed(.serverFailed), false), (.dictationRecognized, true),
                (.ended(isUnheard: true), false), (.dictationRecognized, false),
                (.recognizersChanged, true), (.ended(isUnheard: true), false), (.dictationRecognized, true),
            ],
        ] as [[(RecoveryFlow.Event, Bool)]])
    func decisions(steps: [(RecoveryFlow.Event, Bool)]) {
        var flow = RecoveryFlow()
        for (index, (event, recovers)) in steps.enumerated() {
            #expect(flow.handle(event) == recovers, "step \(index)")
        }
    }
}
