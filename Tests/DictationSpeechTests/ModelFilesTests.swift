import Testing

@testable import DictationSpeech

/// Models as they were published are recognized by the names and the metadata of their files.
@Suite("The kind of model in a folder")
struct ModelFilesTests {
    struct Case: Sendable {
        let name: String
        let files: [String]
        /// The properties of the file that identifies the kind.
        var says: [String: String] = [:]
        let family: SherpaModel.Family
        var languages: [String]?
    }

    static let cases: [Case] = [
        Case(
            name: "sherpa-onnx-streaming-zipformer-en-2023-06-26",
            files: [
                "encoder-epoch-99-avg-1-chunk-16-left-64.onnx",
                "encoder-epoch-99-avg-1-chunk-16-left-128.onnx",
                "decoder-epoch-99-avg-1-chunk-16-left-128.onnx",
                "joiner-epoch-99-avg-1-chunk-16-left-128.onnx",
                "tokens.txt", "bpe.model",
            ], says: ["model_type": "zipformer2", "decode_chunk_len": "32"], family: .streamingTransducer,
            languages: ["en"]),
        Case(
            name: "sherpa-onnx-zipformer-gigaspeech-2023-12-12",
            files: ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"],
            says: ["model_type": "zipformer2"], family: .transducer),
        Case(
            name: "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8",
            files: ["encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"],
            says: ["model_type": "EncDecRNNTBPEModel"], family: .nemoTransducer),
        Case(
            name: "sherpa-onnx-nemo-streaming-fast-conformer-transducer-en-80ms",
            files: ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"],
            says: ["model_type": "EncDecHybridRNNTCTCBPEModel", "cache_last_time_dim1": "70"],
            family: .streamingTransducer, languages: ["en"]),
        Case(
            name: "sherpa-onnx-whisper-tiny.en",
            files: ["tiny.en-encoder.int8.onnx", "tiny.en-decoder.int8.onnx", "tiny.en-tokens.txt"],
            says: ["model_type": "whisper-tiny.en", "is_multilingual": "0"], family: .whisper,
            languages: ["en"]),
        Case(
            name: "sherpa-onnx-whisper-small",
            files: ["small-encoder.onnx", "small-decoder.onnx", "small-tokens.txt"],
            says: ["model_type": "whisper-small", "is_multilingual": "1"], family: .whisper, languages: ["*"]),
        Case(
            name: "sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8",
            files: ["encoder.int8.onnx", "decoder.int8.onnx", "tokens.txt"],
            says: ["model_type": "EncDecMultiTaskModel"], family: .canary,
            languages: ["en", "es", "de", "fr"]),
        Case(
            name: "sherpa-onnx-cohere-transcribe-14-lang-int8",
            files: ["encoder.int8.onnx", "decoder.int8.onnx", "tokens.txt"],
            says: ["model_type": "cohere-transcribe-03-2026"], family: .cohere),
        Case(
            name: "sherpa-onnx-fire-red-asr-large-zh_en-2025-02-16",
            files: ["encoder.int8.onnx", "decoder.int8.onnx", "tokens.txt"],
            says: ["cmvn_mean": "1,2"], family: .fireRed, languages: ["zh", "en"]),
        Case(
            name: "sherpa-onnx-streaming-paraformer-trilingual-zh-cantonese-en",
            files: ["encoder.onnx", "decoder.onnx", "tokens.txt"], says: ["lfr_window_size": "7"],
            family: .streamingParaformer, languages: ["zh", "yue", "en"]),
        Case(
            name: "sherpa-onnx-moonshine-tiny-en-int8",
            files: [
                "preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx",
                "tokens.txt",
            ], family: .moonshine, languages: ["en"]),
        Case(
            name: "sherpa-onnx-moonshine-base-ja-quantized",
            files: ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"], family: .moonshineMerged,
            languages: ["ja"]),
        Case(
            name: "sherpa-onnx-qwen3-asr-0.6B-int8",
            files: [
                "conv_frontend.onnx", "encoder.int8.onnx", "decoder.int8.onnx", "tokenizer/vocab.json",
                "tokenizer/merges.txt",
            ], family: .qwen3),
        Case(
            name: "sherpa-onnx-funasr-nano-int8",
            files: [
                "encoder_adaptor.int8.onnx", "llm.int8.onnx", "embedding.int8.onnx",
                "Qwen3-0.6B/tokenizer.json",
            ], family: .funASRNano),
        Case(
            name: "sherpa-onnx-streaming-zipformer-ctc-small-2024-03-18",
            files: ["ctc-epoch-30-avg-3-chunk-16-left-128.int8.onnx", "tokens.txt"],
            says: ["model_type": "zipformer2", "decode_chunk_len": "32"], family: .streamingZipformerCTC),
        Case(
            name: "giga-am-russian", files: ["model.int8.onnx", "tokens.txt"],
            says: ["model_type": "EncDecCTCModel"], family: .nemoCTC, languages: ["ru"]),
        Case(
            name: "ctc", files: ["model.onnx", "tokens.txt"],
            says: ["model_type": "EncDecCTCModelBPE", "cache_last_time_dim1": "70"], family: .streamingNemoCTC
        ),
        Case(
            name: "t-one", files: ["model.onnx", "tokens.txt"], says: ["model_type": "t-one"],
            family: .streamingTOneCTC, languages: ["ru"]),
        Case(
            name: "sense", files: ["model.onnx", "tokens.txt"], says: ["model_type": "sense_voice_ctc"],
            family: .senseVoice, languages: ["zh", "en", "ja", "ko", "yue"]),
        Case(
            name: "dolphin", files: ["model.onnx", "tokens.txt"], says: ["mean": "1", "invstd": "1"],
            family: .dolphinCTC),
        Case(
            name: "fire", files: ["model.onnx", "tokens.txt"], says: ["model_type": "fire-red-asr-2-ctc"],
            family: .fireRedCTC),
        Case(
            name: "omni", files: ["model.onnx", "tokens.txt"], says: ["model_type": "omnilingual-asr"],
            family: .omnilingualCTC, languages: ["*"]),
        Case(
            name: "marks", files: ["model.onnx"], says: ["punctuations": "<unk>|,|."], family: .punctuation,
            languages: ["*"]),
        Case(
            name: "marks", files: ["model.int8.onnx", "model.onnx", "bpe.vocab"],
            says: ["COMMA": "1", "UPPER": "1"], family: .punctuationWithCase, languages: ["en"]),
    ]

    @Test("each kind is recognized by its files", arguments: cases)
    func kinds(model: Case) throws {
        let found = try ModelFiles(model.files, in: model.name) { path in
            // For transducers and similar models the encoder says it.
            path.contains("decod") || path.contains("joiner") ? [:] : model.says
        }
        #expect(found.family == model.family)
        #expect(found.languages == model.languages)
        #expect(Set(found.family.roles).isSubset(of: found.files.keys))
    }

    @Test(
        "of several precisions the small one is taken, and of several looks back the longest, for all parts")
    func choices() throws {
        let parts = ["encoder", "decoder", "joiner"]
        let files =
            parts.flatMap { part in
                ["-left-64.onnx", "-left-128.onnx", "-left-64.int8.onnx", "-left-128.int8.onnx"].map {
                    part + $0
                }
            } + ["tokens.txt", "bpe.vocab", "README.md"]
        let found = try ModelFiles(files, in: "x") { _ in
            ["model_type": "zipformer2", "decode_chunk_len": "32"]
        }
        for part in parts { #expect(found.files[part] == "\(part)-left-128.int8.onnx") }
        let description = found.description(languages: ["en"])
        #expect(description.files["bpe-vocabulary"] == "bpe.vocab" && description.modelingUnit == "bpe")
    }

    @Test("a kind that is not certain is not guessed")
    func unknown() {
        func kind(_ files: [String], _ says: [String: String] = [:]) -> ModelFiles.Unknown? {
            do throws(ModelFiles.Unknown) {
                _ = try ModelFiles(files, in: "x") { _ in says }
                return nil
            } catch {
                return error
            }
        }
        #expect(kind(["notes.txt"]) == .noModel)
        #expect(kind(["model.onnx", "tokens.txt"]) == .noKind(models: ["model.onnx"]))
        #expect(
            kind(["model.onnx", "tokens.txt"], ["model_type": "vits"]) == .noKind(models: ["model.onnx"]))
        #expect(kind(["encoder.onnx", "tokens.txt"]) == .noKind(models: ["encoder.onnx"]))
        #expect(
            kind(["model.onnx"], ["model_type": "sense_voice_ctc"])
                == .incomplete(family: .senseVoice, role: "tokens"))
    }
}
