import CLinux
import Foundation
import Glibc

/// The kind of a folder of files that has no `model.json`: models are shared as they were published, and the
/// names and properties of their files are enough.
struct ModelFiles: Equatable {
    let family: SherpaModel.Family
    /// By what they are for, as in ``SherpaModel/Description``.
    let files: [String: String]
    /// Nil if neither the files nor the name say it.
    let languages: [String]?

    /// Follows "it cannot be used: ".
    enum Unknown: Error, Equatable, CustomStringConvertible {
        case noModel
        case noKind(models: [String])
        case incomplete(family: SherpaModel.Family, role: String)

        var description: String {
            switch self {
            case .noModel: "there is no model in it, no file that ends in .onnx or .ort"
            case .noKind(let models):
                "its files (\(models.prefix(5).joined(separator: ", "))) do not show what kind of model it is; a "
                    + "model.json beside them can (docs/engines.md has the kinds)"
            case .incomplete(let family, let role):
                "it looks like a model of the kind \(family.rawValue), but has no file for “\(role)”"
            }
        }
    }

    /// By the names that files of models have.
    static func isModel(_ path: String) -> Bool { path.hasSuffix(".onnx") || path.hasSuffix(".ort") }

    /// - Parameters:
    ///   - paths: of all files, within the folder.
    ///   - name: of the folder, which has the languages with most models: "sherpa-onnx-whisper-tiny.en".
    ///   - properties: the metadata of a file (``ONNXFacts/metadata``); empty for one that cannot be read.
    init(_ paths: [String], in name: String, properties: (String) -> [String: String]) throws(Unknown) {
        let models = paths.filter(Self.isModel).sorted()
        guard !models.isEmpty else { throw .noModel }
        var files: [String: String] = [:]
        for (role, candidates) in Dictionary(grouping: models, by: Self.role) {
            files[role] = Self.best(of: candidates)
        }
        let sorted = paths.sorted()
        files["tokens"] = sorted.first { $0.hasSuffix("tokens.txt") }
        files["bpe-vocabulary"] = sorted.first { $0.hasSuffix(".vocab") }
        // A folder, for the kinds that have one.
        files["tokenizer"] =
            sorted.first { $0.hasSuffix("/tokenizer.json") || $0.hasSuffix("/vocab.json") }
            .map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) }
        // Each kind is identified by one of these.
        let encoder = files["encoder"].map(properties) ?? [:]
        let model = files["model"].map(properties) ?? [:]
        guard let family = Self.family(Set(files.keys), encoder: encoder, model: model) else {
            throw .noKind(models: models)
        }
        for role in family.roles where files[role] == nil {
            throw .incomplete(family: family, role: role)
        }
        self.family = family
        let kept = Set(family.roles + (family.takesHotWords ? ["bpe-vocabulary"] : []))
        self.files = files.filter { kept.contains($0.key) }
        languages = Self.languages(family, name, encoder.merging(model) { own, _ in own })
    }

    func description(languages: [String]) -> SherpaModel.Description {
        .init(
            family: family, files: files, languages: languages,
            modelingUnit: files["bpe-vocabulary"] != nil && family.takesHotWords ? "bpe" : nil)
    }

    // MARK: - Roles of files

    /// Parts of the names that sherpa-onnx's authors give; the first that a name has counts.
    private static let parts: [(part: String, role: String)] = [
        ("uncached", "uncached-decoder"), ("merged", "merged-decoder"), ("cached", "cached-decoder"),
        ("preprocess", "preprocessor"), ("conv_frontend", "conv-frontend"),
        ("encoder_adaptor", "encoder-adaptor"), ("embedding", "embedding"), ("llm", "llm"),
        ("joiner", "joiner"), ("decode", "decoder"), ("encode", "encoder"),
    ]

    private static func role(of path: String) -> String {
        let name = (path.split(separator: "/").last ?? "").lowercased().replacingOccurrences(
            of: "-", with: "_")
        return parts.first { name.contains($0.part) }?.role ?? "model"
    }

    /// Many come in two precisions: that of 8 bits takes a quarter of the memory, half of the time, and hears
    /// nearly as well. Of several others the last one by name, which with streaming models has the longest
    /// context; it is the same one for each part.
    private static func best(of paths: [String]) -> String? {
        let small = paths.filter { $0.contains("int8") || $0.contains("quant") }
        return (small.isEmpty ? paths : small).max { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    // MARK: - The kind

    private typealias Properties = [String: String]

    private static func family(
        _ roles: Set<String>, encoder: Properties, model: Properties
    ) -> SherpaModel.Family? {
        // Those that are recognized by their parts alone.
        let byParts: [SherpaModel.Family] = [.qwen3, .funASRNano, .moonshine, .moonshineMerged]
        let family = byParts.first { $0.roles.allSatisfy { $0.hasPrefix("token") || roles.contains($0) } }
        if let family { return family }
        guard roles.contains("encoder"), roles.contains("decoder") else {
            return roles.contains("model") ? single(model) : nil
        }
        return roles.contains("joiner") ? transducer(encoder) : encoderAndDecoder(encoder)
    }

    private static func transducer(_ encoder: Properties) -> SherpaModel.Family? {
        guard let type = encoder["model_type"] else { return nil }
        if isStreaming(encoder) { return .streamingTransducer }
        return type.hasPrefix("EncDec") ? .nemoTransducer : .transducer
    }

    /// Such a model keeps its state from chunk to chunk, and declares how much.
    private static func isStreaming(_ model: Properties) -> Bool {
        ["decode_chunk_len", "cache_last_time_dim1", "streaming_model_type"].contains { model[$0] != nil }
    }

    private static func encoderAndDecoder(_ encoder: Properties) -> SherpaModel.Family? {
        let type = encoder["model_type"] ?? ""
        if type.hasPrefix("whisper") { return .whisper }
        if type.hasPrefix("EncDecMultiTask") { return .canary }
        if type.contains("cohere") { return .cohere }
        if encoder["lfr_window_size"] != nil { return .streamingParaformer }
        return encoder["cmvn_mean"] != nil ? .fireRed : nil
    }

    private static func single(_ model: Properties) -> SherpaModel.Family? {
        if model["punctuations"] != nil { return .punctuation }
        if model["COMMA"] != nil, model["UPPER"] != nil { return .punctuationWithCase }
        let streaming = isStreaming(model)
        return switch model["model_type"] ?? "" {
        // Some call a transducer that streams this.
        case "zipformer2_ctc", "zipformer2": streaming ? .streamingZipformerCTC : .zipformerCTC
        case "wenet_ctc": .wenetCTC
        case "telespeech_ctc": .teleSpeechCTC
        case "sense_voice_ctc": .senseVoice
        case "paraformer": .paraformer
        case "medasr_ctc": .medicalCTC
        case "t-one": .streamingTOneCTC
        case let type where type.hasPrefix("omnilingual"): .omnilingualCTC
        case let type where type.hasPrefix("fire-red"): .fireRedCTC
        case let type where type.hasPrefix("EncDec"): streaming ? .streamingNemoCTC : .nemoCTC
        case let type where type.contains("dolphin") || model["invstd"] != nil: .dolphinCTC
        default: nil
        }
    }

    // MARK: - The languages

    private static func languages(
        _ family: SherpaModel.Family, _ name: String, _ said: Properties
    ) -> [String]? {
        switch family {
        case .whisper: return said["is_multilingual"] == "0" ? ["en"] : ["*"]
        case .senseVoice: return ["zh", "en", "ja", "ko", "yue"]
        case .omnilingualCTC, .punctuation: return ["*"]
        case .medicalCTC, .punctuationWithCase: return ["en"]
        case .streamingTOneCTC: return ["ru"]
        default: break
        }
        let pieces = (name + " " + (said["language"] ?? "")).lowercased()
            .split { !$0.isLetter }.map(String.init)
        var found: [String] = []
        for language in pieces.compactMap({ codes.contains($0) ? $0 : names[$0] })
        where !found.contains(language) {
            found.append(language)
        }
        return found.isEmpty ? nil : found
    }

    /// Languages that models are made for, as in their names; not those whose code is an English word or a part
    /// of the name of a model, such as "am" of "giga-am".
    private static let codes: Set<String> = [
        "ar", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "hi", "hr",
        "hu", "it",
        "ja", "ko", "lt", "lv", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "yue",
        "zh",
    ]
    private static let names = [
        "arabic": "ar", "cantonese": "yue", "chinese": "zh", "dutch": "nl", "english": "en", "french": "fr",
        "german": "de",
        "italian": "it", "japanese": "ja", "korean": "ko", "polish": "pl", "portuguese": "pt",
        "russian": "ru",
        "spanish": "es", "swedish": "sv", "thai": "th", "turkish": "tr", "ukrainian": "uk",
        "vietnamese": "vi",
    ]
}

extension ModelFiles {
    /// - Returns: the files below a folder, hidden ones apart, by their paths in it, with links followed; and their sizes
    ///   in bytes.
    static func all(in folder: URL) -> [String: Int] {
        var found: [String: Int] = [:]
        let root = folder.resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: root.path(percentEncoded: false))
        while let path = names?.nextObject() as? String {
            guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { continue }
            var status = stat()
            guard stat(root.appending(path: path).path(percentEncoded: false), &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFREG { found[path] = Int(status.st_size) }
        }
        return found
    }

    /// - Throws: ``Unknown``.
    init(in folder: URL, paths: [String], name: String) throws(Unknown) {
        try self.init(paths, in: name) { path in
            (try? ONNXFacts(of: folder.appending(path: path)))?.metadata ?? [:]
        }
    }
}
