import Testing

@testable import DictationSpeech

@Suite("A tag that a recognizer writes if nobody spoke")
struct SoundTagTests {
    @Test(
        "is no word, whichever engine and language it comes from",
        arguments: [
            // Whisper and its kin.
            "[BLANK_AUDIO]", "[ Silence ]", "[silence]", "[Music]", "[MUSIC PLAYING]", "[Music] [Music]",
            "(Music)",
            "(music)", "[Applause]", "[Laughter]", "(laughter)", "(laughing)", "[inaudible]", "[INAUDIBLE]",
            "(inaudible)", "[ Inaudible ].", "[no audio]", "[NOISE]", "[typing]", "[clicking]", "(buzzer)",
            "(keyboard clicking)", "(upbeat music)", "(wind blowing)", "(speaking in foreign language)",
            "[speaking in a foreign language]", "(crowd chattering)", "[sound of a door closing]", "*laughs*",
            "*sigh*", "*coughs*", "*clears throat*", "♪", "♪♪", "♪ ♪", "♪ la la la ♪", "♪ (upbeat music) ♪",
            "🎵",
            "♪ Oh baby", "[Musik]", "(Musik)", "[Applaus]", "(lacht)", "[Música]", "[Musique]", "(Rires)",
            "[музыка]", "[音楽]", "【音楽】", "（笑い）", "{inaudible}", "[BLANK_AUDIO] [BLANK_AUDIO]",
            " [BLANK_AUDIO] .",
            // Tokens of models: SentencePiece, Canary, Whisper, Kaldi.
            "<unk>", "<unk> <unk>", "<|nospeech|>", "<|endoftext|>",
            "<|startoftranscript|><|en|><|nospeech|>",
            "<|en|><|notimestamps|>", "<blank>", "<sil>", "<noise>", "<s></s>",
        ])
    func alone(text: String) { #expect(SoundTags.removed(from: text).isEmpty) }

    @Test(
        "goes from between words, and leaves no gap",
        arguments: [
            ("[Music] Hello there.", "Hello there."), ("Hello there. [BLANK_AUDIO]", "Hello there."),
            ("Hello [inaudible] there.", "Hello there."), ("So (laughs), that is it.", "So, that is it."),
            ("I said [coughs] yes.", "I said yes."), ("And then [inaudible].", "And then."),
            ("Well *sighs* fine.", "Well fine."), ("Hello <unk> world", "Hello world"),
            ("<|en|>Hello world.<|endoftext|>", "Hello world."),
            ("♪ la la ♪ And we are back.", "And we are back."),
            ("Good. [MUSIC PLAYING]", "Good."), ("(soft music) We begin.", "We begin."),
            ("[wind blowing] It is cold.", "It is cold."),
        ])
    func between(text: String, rest: String) { #expect(SoundTags.removed(from: text) == rest) }

    @Test(
        "is distinguished from the signs that a server writes for dictated ones",
        arguments: [
            "He was late (as always).", "See (Table 2) for more.", "Take a[0] and f(x).", "2*3*4 is 24.",
            "The *important* point.", "if a < b and c > d", "Write to <anna@example.com> now.",
            "Use [optional] here.",
            "Press [Enter] to go on.", "The interface (typing only) is done.", "Music is what I like.",
            "The engine (see the speech module) runs.", "[1] Smith et al. say so.", "Plain words.", "", "...",
            "a * b", "(", "[", "*",
        ])
    func kept(text: String) { #expect(SoundTags.removed(from: text) == text) }

    @Test("is removed with its times, also if an engine gives it in pieces")
    func words() {
        let recognition = Recognition(
            text: "[BLANK_ AUDIO] hello (Music) there",
            words: ["[BLANK_", "AUDIO]", "hello", "(Music)", "there"].enumerated().map {
                RecognizedWord(text: $1, range: Double($0)..<Double($0) + 1, confidence: 1)
            }, range: 0..<5, alternatives: ["[Music] hello", "(Music)"])
        let spoken = recognition.withoutSoundTags
        #expect(spoken.text == "hello there")
        #expect(spoken.words.map(\.text) == ["hello", "there"])
        #expect(spoken.words.map(\.range.lowerBound) == [2, 4])
        #expect(spoken.alternatives == ["hello", ""])
    }

    @Test("a transcript has no gap if a result was only a tag")
    func transcript() {
        let results = ["[Music]", "Hello.", "(laughter)", "[BLANK_AUDIO]", "Bye."].map {
            TranscriptionResult(final: Recognition(text: $0, range: 0..<1).withoutSoundTags)
        }
        #expect(Transcript(results: results).plainText == "Hello. Bye.")
    }
}
