/// A model that is installed, or can be.
public struct ModelOffer: Sendable, Equatable, Identifiable {
    /// How it is installed.
    enum Way: Sendable, Equatable {
        /// By the script `install-engines`, out of packages.
        case packages
        case catalogue(ModelCatalogue.Entry, base: String)
        /// It is installed, and in no catalog.
        case none
    }

    public let name: String
    /// Such as "en" or "pt-BR"; "*" for a model that detects the language.
    public let languages: [String]
    /// Nil if `model.json` of an installed one cannot be read.
    public let family: SherpaModel.Family?
    public let licence: String?
    /// The attribution that licenses such as CC BY require.
    public let attribution: String?
    /// The word error rate that its authors give.
    public let publishedError: ModelCatalogue.PublishedError?
    /// Our measured word error rate on speech that was used for nothing else: "9 %".
    public let measuredError: String?
    /// Bytes to fetch for the model alone; nil for one that is installed and in no catalog.
    public let downloadSize: Int?
    /// Bytes on disk; nil if that is not known in advance.
    public let size: Int?
    /// Bytes while it is loaded: measured if it was tested, else ``estimatedMemory(fetching:)``.
    public let memory: Int?
    public let isInstalled: Bool
    let way: Way

    public var id: String { name }
    /// Whether we ran and measured it.
    public var isTried: Bool { measuredError != nil }
    /// Whether it recognizes nothing, and sets punctuation instead.
    public var setsPunctuation: Bool { family?.setsMarks == true }

    /// Whether it was made for the language.
    ///
    /// - Parameter locale: such as "de", "de-AT" or "de_AT.UTF-8".
    public func isMade(for locale: String) -> Bool {
        let locale = Self.tag(locale)
        if locale == SpokenLanguage.found { return findsLanguage }
        return languages.contains { $0.isLanguage(of: locale) }
    }

    /// Whether it was made for the language, or detects the language.
    public func knows(_ locale: String) -> Bool {
        languages.contains("*") && locale != SpokenLanguage.found && SpokenLanguage.mayExist(locale)
            || isMade(for: locale)
    }

    /// Whether it finds out which of its languages is spoken.
    public var findsLanguage: Bool {
        (languages.count > 1 || languages.contains("*")) && family?.mustKnowLanguage == false
    }

    private static func tag(_ locale: String) -> String {
        String(locale.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
    }

    /// Bytes that a model takes while it is loaded: twice its archive, since weights of 8 bits are packed by about a
    /// third, and 150 MB for the library and what it computes. `moonshine-tiny-en`, which was measured, takes 192 MB where
    /// its files have 44.
    public static func estimatedMemory(fetching size: Int) -> Int {
        2 * min(max(0, size), ModelCatalogue.largestModel) + 150_000_000
    }
}

extension ModelOffer {
    init(_ entry: ModelCatalogue.Entry, base: String) {
        self.init(
            name: entry.name, languages: entry.description.languages, family: entry.description.family,
            licence: entry.licence, attribution: entry.attribution, publishedError: entry.publishedError,
            measuredError: nil, downloadSize: entry.downloadSize,
            size: entry.archive == nil ? entry.size : nil,
            memory: entry.memory ?? Self.estimatedMemory(fetching: entry.downloadSize), isInstalled: false,
            way: .catalogue(entry, base: base))
    }

    init(_ model: EngineScript.Model) {
        self.init(
            name: model.name, languages: model.languages, family: model.family, licence: model.licence,
            attribution: model.attribution, publishedError: nil, measuredError: model.measuredError,
            downloadSize: model.download, size: model.size, memory: model.memory, isInstalled: false,
            way: .packages)
    }

    /// - Parameter offer: the same model as it can be installed.
    init(_ installed: ModelStore.Installed, offer: ModelOffer?) {
        let entry = installed.entry
        let size = entry?.size
        self.init(
            name: installed.name, languages: installed.description?.languages ?? [],
            family: installed.description?.family, licence: entry?.licence ?? offer?.licence,
            attribution: entry?.attribution ?? offer?.attribution,
            publishedError: entry?.publishedError ?? offer?.publishedError,
            measuredError: offer?.measuredError, downloadSize: offer?.downloadSize, size: size,
            memory: offer?.memory ?? entry?.memory ?? size.map { Self.estimatedMemory(fetching: $0) },
            isInstalled: true, way: offer?.way ?? .none)
    }
}
