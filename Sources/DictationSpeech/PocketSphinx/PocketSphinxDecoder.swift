import CPocketSphinx
import Foundation

/// The three parts of a PocketSphinx model.
public struct PocketSphinxModel: Sendable, Equatable {
    public var acousticModel: String
    public var languageModel: String
    public var dictionary: String
    /// The package that brings the files, for the message when they are missing.
    public var package: String
    public var locale: String

    /// US English, from Debian's package pocketsphinx-en-us.
    public static let debianEnglish = PocketSphinxModel(
        acousticModel: "/usr/share/pocketsphinx/model/en-us/en-us",
        languageModel: "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin",
        dictionary: "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict",
        package: "pocketsphinx-en-us", locale: "en-US")

    public init(
        acousticModel: String, languageModel: String, dictionary: String, package: String, locale: String
    ) {
        self.acousticModel = acousticModel
        self.languageModel = languageModel
        self.dictionary = dictionary
        self.package = package
        self.locale = locale
    }

    /// The library ends the process on some broken models, so it is checked first as far as possible.
    func check() throws {
        for file in ["\(acousticModel)/mdef", "\(acousticModel)/means", languageModel, dictionary]
        where !FileManager.default.isReadableFile(atPath: file) {
            throw SpeechSessionError.modelMissing(engine: "PocketSphinx", path: file, package: package)
        }
    }
}

/// A wrapper of libpocketsphinx: owns the decoder's pointers. Not for two threads at once.
final class PocketSphinxDecoder {
    let decoder: OpaquePointer
    /// The words of the user's own, by the names under which the library has them.
    var ownWords: [String: String] = [:]

    /// The live estimate of the cepstral mean weighs as much as one second (100 frames) when an utterance begins:
    /// light enough to follow a new speaker, heavy enough to survive a first noise.
    private static let cepstralMeanWeight: Int32 = 100

    /// Measured on 94 utterances (687 s), streamed: 28.8 % word error rate against 37.2 % with the library's own settings, at a
    /// quarter of a core. `-maxhmmpf` was 10,000 then.
    private static let settings = [
        // One pass, and a search through its lattice: the second pass would cost a second after release and brings
        // nothing.
        "-fwdflat", "no", "-bestpath", "yes",
        // Wider than the default (1e-48, 1e-48, 7e-29): 1.5 points fewer errors for a third more time.
        "-beam", "1e-60", "-pbeam", "1e-60", "-wbeam", "1e-40",
        // How many phone models (HMMs) are followed in a frame; the default is 30,000. With 10,000 clean
        // speech has as many errors, for 25 % more work. With 4,000 it has more.
        "-maxhmmpf", "5000",
        // How many words may end in a frame; the default has no limit. Each is a node of the lattice whose
        // search the user waits for, and which grows with the square of them: 0.4 to 0.7 s after nine seconds
        // of speech became 0.17. With 10 it would be 0.1 s, and half a point more errors.
        "-maxwpf", "20",
    ]

    /// The library has one log for all its decoders and no lock around it: with a log file (`-logfn`), two decoders
    /// made at the same time close the same file, and the process aborts. With neither a file nor a callback it writes
    /// nothing; both are set once, before the first decoder.
    private static let silenceLibrary: Void = {
        err_set_logfp(nil)
        err_set_callback(nil, nil)
    }()

    init(model: PocketSphinxModel) throws {
        try model.check()
        Self.silenceLibrary
        let arguments =
            [
                "pocketsphinx", "-hmm", model.acousticModel, "-lm", model.languageModel, "-dict",
                model.dictionary,
            ] + Self.settings
        // The library copies the strings.
        var pointers = arguments.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        guard let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(pointers.count), &pointers, 1) else {
            throw Self.failure("it does not know one of its settings")
        }
        defer { cmd_ln_free_r(configuration) }
        guard let decoder = ps_init(configuration) else {
            throw Self.failure("it cannot load the model \(model.acousticModel)")
        }
        self.decoder = decoder
    }

    deinit { ps_free(decoder) }

    /// A new recording: times are counted from here.
    func startStream() throws { try check(ps_start_stream(decoder), "begin a stream") }

    func startUtterance() throws { try check(ps_start_utt(decoder), "begin an utterance") }

    func endUtterance() throws { try check(ps_end_utt(decoder), "end an utterance") }

    func process(_ samples: ArraySlice<Int16>) throws {
        let code = samples.withUnsafeBufferPointer { ps_process_raw(decoder, $0.baseAddress, $0.count, 0, 0) }
        try check(code, "decode")
        if let cmn = cepstralNormalization { cmn_live_update(cmn) }
    }

    /// Whether the library's own detector hears speech: it falls silent half a second after the last word.
    var hearsSpeech: Bool { ps_get_in_speech(decoder) != 0 }

    /// For how many seconds nothing was said, at the end of the likeliest path so far.
    var pause: TimeInterval {
        var silent = 0
        var segment = ps_seg_iter(decoder)
        while let current = segment {
            var (first, last): (Int32, Int32) = (0, 0)
            ps_seg_frames(current, &first, &last)
            let isSpoken = ps_seg_word(current).map { Self.isSpoken(String(cString: $0)) } ?? false
            silent = isSpoken ? 0 : silent + Int(last - first) + 1
            segment = ps_seg_next(current)
        }
        return Double(silent) / Self.framesPerSecond
    }

    /// Whether there is a path through the sound, even one of only pauses and noises. After
    /// ``endUtterance()`` there may be none, although words were heard: the last pass searches a lattice, and
    /// a sound that breaks off in a word can leave one without an end.
    var hasPath: Bool {
        guard let first = ps_seg_iter(decoder) else { return false }
        ps_seg_free(first)
        return true
    }

    /// The words so far, without pauses and noises.
    var hypothesis: String { Self.text(ps_seg_iter(decoder), written) }

    /// The words of a path; ends with it.
    private static func text(_ path: OpaquePointer?, _ written: (String) -> String) -> String {
        var words: [String] = []
        var segment = path
        while let current = segment {
            if let word = ps_seg_word(current).map({ String(cString: $0) }), isSpoken(word) {
                words.append(written(word))
            }
            segment = ps_seg_next(current)
        }
        return words.joined(separator: " ")
    }

    /// The words with their times and confidence; after ``endUtterance()``.
    var words: [RecognizedWord] {
        var words: [RecognizedWord] = []
        var segment = ps_seg_iter(decoder)
        while let current = segment {
            defer { segment = ps_seg_next(current) }
            guard let word = ps_seg_word(current).map({ String(cString: $0) }), Self.isSpoken(word) else {
                continue
            }
            var (first, last): (Int32, Int32) = (0, 0)
            ps_seg_frames(current, &first, &last)
            var (acoustic, language, backoff): (Int32, Int32, Int32) = (0, 0, 0)
            let posterior = logmath_exp(
                ps_get_logmath(decoder), ps_seg_prob(current, &acoustic, &language, &backoff))
            let start = Double(max(0, first)) / Self.framesPerSecond
            let end = Double(max(first, last) + 1) / Self.framesPerSecond
            words.append(
                RecognizedWord(
                    text: written(word), range: start..<max(start, end),
                    confidence: min(1, max(0, posterior))))
        }
        return words
    }

    /// Other readings, the likeliest first; after ``endUtterance()``.
    func alternatives(_ count: Int) -> [String] {
        let said = hypothesis
        var found: [String] = []
        // Most of the list differs in pauses and pronunciations only.
        var tries = count * Self.triesPerAlternative
        var next = count > 0 ? ps_nbest(decoder) : nil
        while let current = next {
            let text = Self.text(ps_nbest_seg(current), written)
            if !text.isEmpty, text != said, !found.contains(text) { found.append(text) }
            tries -= 1
            guard found.count < count, tries > 0 else {
                ps_nbest_free(current)
                break
            }
            // At the end of the list the library frees it.
            next = ps_nbest_next(current)
        }
        return found
    }

    private static let triesPerAlternative = 10

    /// The current mean of the cepstrum; set before an utterance, it counts as one second of sound.
    var cepstralMean: [Float] {
        get {
            guard let cmn = cepstralNormalization?.pointee, let mean = cmn.cmn_mean else { return [] }
            return (0..<Int(cmn.veclen)).map { mean[$0] }
        }
        set {
            guard let cmn = cepstralNormalization, let sum = cmn.pointee.sum, let mean = cmn.pointee.cmn_mean,
                newValue.count == Int(cmn.pointee.veclen)
            else { return }
            for (index, value) in newValue.enumerated() {
                mean[index] = value
                sum[index] = value * Float(Self.cepstralMeanWeight)
            }
            cmn.pointee.nframe = Self.cepstralMeanWeight
        }
    }

    private var cepstralNormalization: UnsafeMutablePointer<cmn_t>? {
        ps_get_feat(decoder)?.pointee.cmn_struct
    }

    private static let framesPerSecond = 100.0

    /// Not `<sil>`, `<s>`, `[NOISE]` …
    private static func isSpoken(_ word: String) -> Bool {
        !word.hasPrefix("<") && !word.hasPrefix("[") && !word.hasPrefix("++")
    }

    /// The dictionary marks a second pronunciation by a number: "the(2)".
    private func written(_ word: String) -> String {
        ownWords[word] ?? (word.hasSuffix(")") ? String(word.prefix { $0 != "(" }) : word)
    }

    private func check(_ code: Int32, _ operation: String) throws {
        if code < 0 { throw Self.failure("it cannot \(operation)") }
    }

    private static func failure(_ reason: String) -> SpeechSessionError {
        .engineFailed(engine: "PocketSphinx", reason: reason)
    }
}
