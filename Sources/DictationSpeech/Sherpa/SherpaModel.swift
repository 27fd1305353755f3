import CLinux
import DictationSystem
import Foundation
import Glibc

/// A model for sherpa-onnx: a folder with its files, and `model.json`, which describes them.
///
/// ```json
/// {
///     "family": "streaming-transducer",
///     "files": {"encoder": "encoder.int8.onnx", "decoder": "decoder.onnx", "joiner": "joiner.int8.onnx",
///               "tokens": "tokens.txt"},
///     "languages": ["en"]
/// }
/// ```
public struct SherpaModel: Sendable, Equatable {
    public var folder: URL
    public var description: Description

    /// The contents of `model.json`.
    public struct Description: Sendable, Equatable, Codable {
        public var family: Family
        /// The files by what they are for; paths within the folder.
        public var files: [String: String]
        /// Such as "en" or "pt-BR"; "*" for a model that detects the language.
        public var languages: [String]
        /// How words are cut into the model's units, for hot words: "bpe", "cjkchar" or "cjkchar+bpe".
        public var modelingUnit: String?
        /// Mel bins of the features; 80 if nothing is said. Models that say so themselves need nothing here.
        public var featureBins: Int?

        /// ``languages``, and ``SpokenLanguage/found`` if the model detects which of several is spoken.
        public var locales: [String] {
            let isOfSeveral = languages.count > 1 || languages.contains("*")
            return languages + (isOfSeveral && !family.mustKnowLanguage ? [SpokenLanguage.found] : [])
        }
    }

    public static let descriptionName = "model.json"

    init(folder: URL, description: Description) { (self.folder, self.description) = (folder, description) }

    /// A model in a folder. Its `model.json` describes it; without one its files do.
    ///
    /// - Throws: ``SpeechSessionError/modelNotFound(engine:path:)``,
    ///   ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    public init(folder: URL) throws {
        let file = folder.appending(path: Self.descriptionName)
        self.folder = folder
        guard FileManager.default.fileExists(atPath: file.path) else {
            description = try Self.found(in: folder)
            return
        }
        do {
            let largest = ModelCatalogue.largestFile
            let data = try Data(ofPlainFile: file.path(percentEncoded: false), upTo: largest)
            guard data.count <= largest else {
                throw Self.unusable(folder, "\(file.lastPathComponent) is larger than 8 MiB")
            }
            description = try JSONDecoder().decode(Description.self, from: data)
        } catch let error as SpeechSessionError {
            throw error
        } catch {
            throw Self.unusable(
                folder, "\(file.lastPathComponent) does not say what it is (\(error.plainReason))")
        }
        try check()
    }

    private static func found(in folder: URL) throws -> Description {
        let paths = ModelFiles.all(in: folder).keys
        // The files of several models make none.
        let isFolderOfModels = paths.contains { $0.hasSuffix("/\(descriptionName)") }
        guard !isFolderOfModels, paths.contains(where: ModelFiles.isModel) else {
            throw SpeechSessionError.modelNotFound(
                engine: SherpaRecognizer.name, path: folder.path(percentEncoded: false))
        }
        do {
            let files = try ModelFiles(in: folder, paths: Array(paths), name: folder.lastPathComponent)
            // A user who has named it in the settings knows its language.
            return files.description(languages: files.languages ?? ["*"])
        } catch {
            throw unusable(folder, "it has no \(descriptionName), and \(error)")
        }
    }

    /// The path of a file by what it is for; nil if the model has none.
    func path(of role: String) -> String? {
        description.files[role].map { folder.appending(path: $0).path(percentEncoded: false) }
    }

    /// All that belongs there must be there.
    private func check() throws {
        for role in description.family.roles {
            guard let path = path(of: role) else {
                throw Self.unusable(folder, "\(Self.descriptionName) names no file for “\(role)”")
            }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw Self.unusable(folder, "\(path) is not there")
            }
        }
    }

    /// The library ends the process in the middle of a word when it has no text for what the model says.
    ///
    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    func checkTokens() throws {
        guard let needed = vocabulary else { return }
        let count = tokens.count
        guard count < needed else { return }
        throw Self.unusable(folder, "its list of tokens has \(count) of \(needed)")
    }

    /// How many tokens the model knows, if it says so.
    private var vocabulary: Int? {
        func facts(_ role: String) -> ONNXFacts? {
            path(of: role).flatMap { try? ONNXFacts(of: URL(filePath: $0)) }
        }
        func said(_ role: String) -> Int? { facts(role)?.metadata["vocab_size"].flatMap { Int($0) } }
        switch description.family {
        case .streamingTransducer, .transducer: return said("decoder")
        // Without the blank.
        case .nemoTransducer: return said("encoder").map { $0 + 1 }
        default:
            guard description.family.roles == ["model", "tokens"] else { return nil }
            return facts("model")?.outputs.first?.last ?? said("model")
        }
    }

    /// The model's pieces of text by their numbers.
    private var tokens: [Int: Substring] {
        guard let path = path(of: "tokens"), let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return [:] }
        var tokens: [Int: Substring] = [:]
        for line in text.split(separator: "\n") {
            // The piece itself may be a space.
            guard let space = line.lastIndex(where: { $0 == " " || $0 == "\t" }),
                let number = Int(line[line.index(after: space)...].filter { $0 != "\r" })
            else { continue }
            tokens[number] = line[..<space]
        }
        return tokens
    }

    /// The letters that a model writes.
    enum LetterCase {
        /// Capitals only, as many models of English do: they say nothing then.
        case capital
        case small
        case both
    }

    var letterCase: LetterCase {
        // <blk>, <s> and the like are no text.
        let pieces = tokens.values.filter { !$0.hasPrefix("<") }
        let hasCapitals = pieces.contains { $0.contains(where: \.isUppercase) }
        let hasSmall = pieces.contains { $0.contains(where: \.isLowercase) }
        return hasCapitals == hasSmall ? .both : hasCapitals ? .capital : .small
    }

    /// The letters that are single tokens: it can be biased toward words of these.
    var singleLetters: Set<Character> { Set(tokens.values.compactMap { $0.count == 1 ? $0.first : nil }) }

    /// Whether it can be biased toward words: it must know how they are cut into its pieces.
    var takesHotWords: Bool {
        let needsPieces = description.modelingUnit?.contains("bpe") ?? false
        return description.family.takesHotWords && (!needsPieces || path(of: "bpe-vocabulary") != nil)
    }

    static func unusable(_ folder: URL, _ reason: String) -> SpeechSessionError {
        .modelUnusable(
            engine: SherpaRecognizer.name, model: folder.path(percentEncoded: false), reason: reason)
    }

    /// Distinguishes the model from another one under the same path.
    var fingerprint: String {
        description.files.values.sorted().map { FileStamp.text(of: folder.appending(path: $0)) }
            .joined(separator: "; ")
    }
}

extension SherpaModel {
    /// The kinds of model that are used. The first five decode while somebody speaks.
    public enum Family: String, Codable, CaseIterable, Sendable {
        case streamingTransducer = "streaming-transducer"
        case streamingParaformer = "streaming-paraformer"
        case streamingZipformerCTC = "streaming-zipformer2-ctc"
        case streamingNemoCTC = "streaming-nemo-ctc"
        case streamingTOneCTC = "streaming-t-one-ctc"

        case transducer
        /// Parakeet and its relatives.
        case nemoTransducer = "nemo-transducer"
        case paraformer
        case nemoCTC = "nemo-ctc"
        case whisper
        case moonshine
        /// The second generation of Moonshine, with a decoder in one file.
        case moonshineMerged = "moonshine-merged"
        case senseVoice = "sense-voice"
        case zipformerCTC = "zipformer-ctc"
        case wenetCTC = "wenet-ctc"
        case dolphinCTC = "dolphin-ctc"
        case teleSpeechCTC = "telespeech-ctc"
        case fireRed = "fire-red-asr"
        case fireRedCTC = "fire-red-asr-ctc"
        case canary
        case cohere = "cohere-transcribe"
        case omnilingualCTC = "omnilingual-ctc"
        case medicalCTC = "medasr-ctc"
        case qwen3 = "qwen3-asr"
        case funASRNano = "funasr-nano"

        /// These recognize nothing: they set marks, the second one capitals as well.
        case punctuation
        case punctuationWithCase = "punctuation-with-case"

        public var setsMarks: Bool { self == .punctuation || self == .punctuationWithCase }

        /// Whether words come while somebody speaks.
        public var isStreaming: Bool { rawValue.hasPrefix("streaming-") }

        /// Features of a recognizer with it. Models that hear segments as a whole show words early if they
        /// are fast enough.
        var features: Set<RecognizerFeature> {
            var features: Set<RecognizerFeature> = [.partialResults]
            if !writesFreely { features.insert(.wordTimes) }
            if takesHotWords { features.insert(.hotWords) }
            return features
        }

        /// Whether it must be told which language is spoken: it would translate, or write what sounds alike.
        var mustKnowLanguage: Bool {
            switch self {
            case .canary, .cohere, .funASRNano: true
            default: setsMarks
            }
        }

        /// Whether the library can be biased toward words with it.
        var takesHotWords: Bool { self == .streamingTransducer || self == .transducer }

        /// Whether it writes word after word, each by those before: such a model may lose itself in a loop.
        var writesFreely: Bool {
            switch self {
            case .whisper, .moonshine, .moonshineMerged, .fireRed, .canary, .cohere, .qwen3, .funASRNano: true
            default: false
            }
        }

        /// The silence that a model needs after speech, in seconds.
        ///
        /// Moonshine models fail where the sound breaks off: of 1008 pieces cut at random out of 42
        /// recordings, 53 had endlessly repeated words, and one or none with 0.2 s and more of silence
        /// after it. Of the whole recordings 20 % fewer words were wrong, too; more silence does not help, and
        /// takes longer, and room noise does not work. The library itself appends silence for
        /// Whisper.
        var silenceBehind: Double { self == .moonshine || self == .moonshineMerged ? 0.25 : 0 }

        /// The files that it consists of.
        public var roles: [String] {
            switch self {
            case .streamingTransducer, .transducer, .nemoTransducer:
                ["encoder", "decoder", "joiner", "tokens"]
            case .streamingParaformer, .whisper, .fireRed, .canary, .cohere: ["encoder", "decoder", "tokens"]
            case .moonshine: ["preprocessor", "encoder", "uncached-decoder", "cached-decoder", "tokens"]
            case .moonshineMerged: ["encoder", "merged-decoder", "tokens"]
            case .punctuation: ["model"]
            case .punctuationWithCase: ["model", "bpe-vocabulary"]
            case .qwen3: ["conv-frontend", "encoder", "decoder", "tokenizer"]
            case .funASRNano: ["encoder-adaptor", "llm", "embedding", "tokenizer"]
            case .streamingZipformerCTC, .streamingNemoCTC, .streamingTOneCTC, .paraformer, .nemoCTC,
                .senseVoice,
                .zipformerCTC, .wenetCTC, .dolphinCTC, .teleSpeechCTC, .fireRedCTC, .omnilingualCTC,
                .medicalCTC:
                ["model", "tokens"]
            }
        }
    }
}
