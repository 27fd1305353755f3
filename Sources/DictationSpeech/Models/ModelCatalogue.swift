import DictationSystem
import Foundation

/// The models that can be installed: a JSON file, which a company can keep for itself.
///
/// ```json
/// {"models": [{
///     "name": "zipformer-en", "engine": "sherpa-onnx", "licence": "Apache-2.0", "about": "English, streaming",
///     "description": {"family": "streaming-zipformer2-ctc", "languages": ["en"],
///                     "files": {"model": "model.onnx", "tokens": "tokens.txt"}},
///     "files": [{"path": "model.onnx", "size": 68000000, "sha256": "9b…", "address": "zipformer-en/model.onnx"},
///               {"path": "tokens.txt", "size": 5048, "sha256": "47…", "address": "zipformer-en/tokens.txt"}]
/// }]}
/// ```
///
/// In place of `files`, a model may be one `archive`: `{"address": "zipformer-en.tar.bz2", "size": 61000000, "sha256": "0c…"}`.
public struct ModelCatalogue: Sendable, Equatable, Codable {
    public var models: [Entry]

    public init(models: [Entry]) { self.models = models }

    public struct Entry: Sendable, Equatable, Codable {
        /// Letters, digits, points, dashes and underscores.
        public var name: String
        /// The one that there is: "sherpa-onnx".
        public var engine = SherpaRecognizer.name
        public var licence: String
        /// Whom to name, as licenses such as CC BY ask.
        public var attribution: String?
        public var about: String?
        /// Becomes the model's `model.json`. With an ``archive`` its files may be left out: then they are found by what
        /// they are called and say of themselves.
        public var description: SherpaModel.Description
        /// Fetched one by one; none where there is an ``archive``.
        public var files: [File] = []
        /// The model as one file.
        public var archive: Archive?
        /// The word error rate that its authors give.
        public var publishedError: PublishedError?
        /// Bytes while it is loaded; estimated where nothing is said (``ModelOffer/estimatedMemory(fetching:)``).
        public var memory: Int?

        /// Bytes of all files.
        public var size: Int { ModelCatalogue.total(files.map(\.size)) }

        /// Bytes to fetch.
        public var downloadSize: Int { archive?.size ?? size }
    }

    /// A model as one file, as it was published: a .tar.bz2 or the like, with one folder in it.
    public struct Archive: Sendable, Equatable, Codable {
        /// Of http or https, or relative, as ``File/address``.
        public var address: String
        /// Bytes.
        public var size: Int
        /// In hexadecimal digits.
        public var sha256: String
    }

    /// An error rate that a model's authors, or others, found.
    public struct PublishedError: Sendable, Equatable, Codable {
        /// As in "1.9 % (LibriSpeech clean)".
        public var text: String
        /// Anyone who says so.
        public var source: String
    }

    public struct File: Sendable, Equatable, Codable {
        /// Within the model's folder.
        public var path: String
        /// Bytes.
        public var size: Int
        /// In hexadecimal digits.
        public var sha256: String
        /// Of http or https; one that is relative begins where the catalogue is, or at the address of the settings.
        public var address: String
    }

    /// - Throws: ``ModelError/badCatalogue(reason:)``: also where a name or a path would lead out of the folder.
    public init(_ data: Data) throws(ModelError) {
        do {
            self = try JSONDecoder().decode(ModelCatalogue.self, from: data)
        } catch {
            throw .badCatalogue(reason: "it is not the JSON that was expected (\(error.plainReason))")
        }
        for entry in models { try Self.check(entry) }
        guard Set(models.map(\.name)).count == models.count else {
            throw .badCatalogue(reason: "two models have the same name")
        }
    }

    /// Bytes: 1 TiB. No model has as much, and sums of such sizes are still numbers.
    static let largestModel = 1 << 40

    /// Bytes that a catalogue, or what is written beside a model, has at most. One of a thousand models has half a megabyte.
    static let largestFile = 8 << 20

    /// The sum of sizes, whatever they are: those of files on a disk may be more than a number can be.
    static func total(_ sizes: some Sequence<Int>) -> Int {
        sizes.reduce(0) { total, size in
            let (sum, isTooMuch) = total.addingReportingOverflow(size)
            return isTooMuch ? .max : sum
        }
    }

    /// - Parameter isInstalled: whether it lies beside a model; then it has the files that were in its archive.
    static func check(_ entry: Entry, isInstalled: Bool = false) throws(ModelError) {
        guard isName(entry.name) else {
            throw .badCatalogue(reason: "“\(entry.name.prefix(60))” cannot be the name of a model")
        }
        guard entry.engine == SherpaRecognizer.name else {
            throw .badCatalogue(
                reason: "\(entry.name) is for the unknown engine “\(entry.engine.prefix(60))”")
        }
        for file in entry.files {
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.isEmpty, parts.allSatisfy({ isName(String($0)) }) else {
                throw .badCatalogue(
                    reason: "\(entry.name): “\(file.path.prefix(60))” cannot be the name of a file")
            }
            let isHash = file.sha256.count == 64 && file.sha256.allSatisfy(\.isHexDigit)
            guard (0...largestModel).contains(file.size), isHash else {
                throw .badCatalogue(reason: "\(entry.name): \(file.path) has no size that can be, or no hash")
            }
        }
        guard entry.size <= largestModel, (0...largestModel).contains(entry.memory ?? 0) else {
            throw .badCatalogue(reason: "\(entry.name): its sizes cannot be")
        }
        if let archive = entry.archive {
            let isHash = archive.sha256.count == 64 && archive.sha256.allSatisfy(\.isHexDigit)
            guard (1...largestModel).contains(archive.size), isHash, isInstalled || entry.files.isEmpty else {
                throw .badCatalogue(
                    reason:
                        "\(entry.name): its archive has no size that can be or no hash, or there are files beside it"
                )
            }
            if entry.description.files.isEmpty { return }
        }
        let paths = Set(entry.files.map(\.path))
        guard paths.count == entry.files.count, !paths.contains(SherpaModel.descriptionName) else {
            throw .badCatalogue(reason: "\(entry.name) has a file twice, or one that is called model.json")
        }
        for role in entry.description.family.roles {
            guard let file = entry.description.files[role],
                entry.archive != nil || paths.contains(where: { $0 == file || $0.hasPrefix(file + "/") })
            else { throw .badCatalogue(reason: "\(entry.name) lacks a file for “\(role)”") }
        }
    }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= 200 && !name.hasPrefix(".")
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0))
            }
    }
}

extension ModelCatalogue.Entry {
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        engine = try values.decode(String.self, forKey: .engine)
        licence = try values.decode(String.self, forKey: .licence)
        attribution = try values.decodeIfPresent(String.self, forKey: .attribution)
        about = try values.decodeIfPresent(String.self, forKey: .about)
        description = try values.decode(SherpaModel.Description.self, forKey: .description)
        files = try values.decodeIfPresent([ModelCatalogue.File].self, forKey: .files) ?? []
        archive = try values.decodeIfPresent(ModelCatalogue.Archive.self, forKey: .archive)
        publishedError = try values.decodeIfPresent(
            ModelCatalogue.PublishedError.self, forKey: .publishedError)
        memory = try values.decodeIfPresent(Int.self, forKey: .memory)
    }
}

/// Errors of models that are installed, or are to be.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
    case noCatalogue
    case catalogueNotLoaded(from: String, reason: String)
    case badCatalogue(reason: String)
    case unknown(name: String, known: [String])
    case notInstalled(name: String)
    /// Another process installs it.
    case busy(name: String)
    /// It was put there by hand.
    case nothingRecorded(name: String)
    /// There is no such folder or archive.
    case notThere(path: String)
    case badName(String)
    /// A new model has the name of another one.
    case nameTaken(String)
    case unusable(path: String, reason: String)
    case languageUnknown(path: String)
    case noRoom(needed: Int, free: Int, folder: String)
    case notLoaded(file: String, reason: String)
    case wrongSize(file: String, expected: Int, found: Int)
    case wrongHash(file: String)
    /// An archive has another SHA-256 than its catalogue says.
    case wrongArchive(address: String, expected: String, found: String)
    case badArchive(path: String, flaw: ArchiveFlaw)
    /// A file of an installed model is not what it was.
    case damaged(name: String, file: String)
    case cannotWrite(path: String, reason: String)
    /// The script that installs engines is not where it belongs.
    case scriptMissing(path: String)
    /// sherpa-onnx, the voice activity model or a model in a package: in the script's own words.
    case engineNotInstalled(reason: String)

    public var description: String {
        switch self {
        case .noCatalogue:
            "There is no catalog of models."
        case .catalogueNotLoaded(let place, let reason):
            "The catalog of models, \(place), cannot be loaded: \(reason). Try again later."
        case .badCatalogue(let reason): "The catalog of models cannot be used: \(reason)."
        case .unknown(let name, let known):
            "There is no model “\(name)”"
                + (known.isEmpty ? " in the catalog." : "; there is \(known.joined(separator: ", ")).")
        case .notInstalled(let name): "The model “\(name)” is not installed."
        case .busy(let name): "The model “\(name)” is being installed by another process."
        case .nothingRecorded(let name):
            "The model “\(name)” was copied there by hand: the original state of its files is unknown."
        case .notThere(let path): "\(path) does not exist. Nothing was changed."
        case .badName(let name):
            "“\(name.prefix(60))” cannot be the name of a model: use letters, digits, periods, dashes and underscores."
        case .nameTaken(let name):
            "There is a model “\(name)” already. Give this one another name, or remove that one first."
        case .unusable(let path, let reason): "\(path) cannot be used: \(reason). Nothing was installed."
        case .languageUnknown(let path):
            "\(path): its files do not say which languages it knows. Nothing was installed."
        case .noRoom(let needed, let free, let folder):
            "There is not enough space in \(folder): \(needed) bytes are needed, and \(free) are free. Nothing was changed."
        case .notLoaded(let file, let reason):
            "\(file) could not be fetched: \(reason). The partial download is kept; install again to resume it."
        case .wrongSize(let file, let expected, let found):
            "\(file) has \(found) bytes instead of the \(expected) in the catalog. It was not installed."
        case .wrongHash(let file):
            "\(file) does not match the catalog (its SHA-256 differs). It was not installed."
        case .wrongArchive(let address, let expected, let found):
            "\(address) does not match the catalog: its SHA-256 is \(found), and \(expected) was expected. Nothing "
                + "was installed. Its publisher may have replaced it; a newer catalog then has the new one."
        case .badArchive(let path, let flaw): "\(path) cannot be used: \(flaw). Nothing was installed."
        case .damaged(let name, let file):
            "The model “\(name)” is not what was installed: \(file) has changed. Remove it, and install it again."
        case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)."
        case .scriptMissing(let path):
            "The script that installs engines is missing: it belongs at \(path). Install VoiceDictation again."
        case .engineNotInstalled(let reason): reason
        }
    }
}
