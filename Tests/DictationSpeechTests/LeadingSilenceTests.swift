import Testing

@testable import DictationSpeech

@Suite("The sound before a voice")
struct LeadingSilenceTests {
    @Test(
        "sound is held back until there is a voice; the second before it is heard as well, or ten that were loud",
        arguments: [0, 3, 50, 60, 1_000], [false, true])
    func leading(frames: Int, isAudible: Bool) {
        var leading = LeadingSilence(isHeld: true)
        var heard: [AudioChunk] = []
        for frame in 0..<frames + 5 {
            let chunk = AudioChunk(samples: Array(repeating: 1, count: 320), position: frame * 320)
            heard += leading.add(
                chunk, VoiceActivity(hasHeardSpeech: frame >= frames, isAudible: isAudible))
        }
        #expect(heard.count == min(frames, isAudible ? 500 : 50) + 5)
        #expect(heard.last?.position == (frames + 4) * 320)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.position + 320 == $1.position })
    }

    @Test(
        "a word that was over before the model was sure of a voice is heard; a longer noise is not",
        arguments: [(20, 1), (49, 1), (50, 0), (200, 0)])
    func short(loudFrames: Int, isHeard: Int) {
        var leading = LeadingSilence(isHeld: true)
        for frame in 0..<30 + loudFrames {
            let chunk = AudioChunk(samples: Array(repeating: 1, count: 320), position: frame * 320)
            #expect(leading.add(chunk, VoiceActivity(isAudible: frame >= 30)).isEmpty)
        }
        #expect(leading.finish().count == isHeard * (30 + loudFrames))
    }

    @Test("silence is not heard at its end either")
    func silent() {
        var leading = LeadingSilence(isHeld: true)
        #expect(leading.add(AudioChunk(samples: [1], position: 0), VoiceActivity()).isEmpty)
        #expect(leading.finish().isEmpty)
    }

    @Test("nothing is held back if loudness decides")
    func open() {
        var leading = LeadingSilence(isHeld: false)
        let chunk = AudioChunk(samples: [1], position: 0)
        #expect(leading.add(chunk, VoiceActivity()) == [chunk])
    }
}
