import DictationSystem
import Foundation
import Testing

@testable import DictationSpeech

@Suite("Models that are offered", .timeLimit(.minutes(3)))
struct ModelOfferTests {
    private static func offer(
        _ name: String, _ languages: [String], megabytes: Int = 100, tried: Bool = false,
        family: SherpaModel.Family = .nemoTransducer
    ) -> ModelOffer {
        ModelOffer(
            name: name, languages: languages, family: family, licence: "MIT", attribution: nil,
            publishedError: nil, measuredError: tried ? "9 %" : nil, downloadSize: megabytes * 1_000_000,
            size: nil, memory: ModelOffer.estimatedMemory(fetching: megabytes * 1_000_000),
            isInstalled: false, way: .none)
    }

    private static let offers = [
        offer("punctuation", ["*"], family: .punctuation),
        offer("large-european", ["de", "fr", "en"], megabytes: 480), offer("german", ["de"]),
        offer("brazilian", ["pt-BR"]), offer("many", ["*"], megabytes: 120),
        offer("tried", ["en"], megabytes: 80, tried: true), offer("small", ["*"], megabytes: 20),
    ]

    @Test(
        "a recommendation goes by language, memory and cores; a model that was tried comes first",
        arguments: [
            // Memory in GB, cores, the best and the others.
            ("en-US", 16, 8, ["tried", "large-european", "many", "small"]),
            ("en_GB.UTF-8", 2, 1, ["tried", "many", "small"]),
            ("en", 1, 2, ["tried", "small"]),
            ("de-AT", 16, 8, ["large-european", "german", "many", "small"]),
            ("de", 16, 2, ["german", "many", "small"]),
            ("de", 2, 8, ["german", "many", "small"]),
            ("pt-BR", 8, 4, ["brazilian", "many", "small"]), ("pt-PT", 8, 4, ["many", "small"]),
            ("xh", 1, 1, ["small"]), ("xh", 0, 1, []),
            ("klingon", 16, 8, []), ("xx", 16, 8, []), ("enx1", 16, 8, []),
            ("tl-PH", 8, 2, ["many", "small"]),
            ("yue", 8, 2, ["many", "small"]),
            ("auto", 16, 8, ["large-european", "many", "small"]), ("auto", 16, 2, ["many", "small"]),
        ])
    func recommends(locale: String, memory: Int, cores: Int, expected: [String]) {
        let choice = ModelRecommendation.choose(
            locale: locale, machine: .init(memory: memory * 1_000_000_000, cores: cores), offers: Self.offers)
        let names = choice.map { [$0.offer.name] + $0.alternatives.map(\.name) } ?? []
        #expect(names == expected)
        #expect(choice.map { $0.reason.contains("We tried it") } ?? false == (expected.first == "tried"))
    }

    @Test(
        "of installed models that one is used which a recommendation would name first",
        arguments: [
            (
                ["de": ["de"], "many": ["*"], "a": ["en"], "moonshine-tiny-en": ["en"]], "en-US",
                "moonshine-tiny-en"
            ),
            (["b": ["en"], "a": ["en"], "0": ["*"]], "en-GB", "a"), (["b": ["*"], "a": ["*"]], "fr", "a"),
            (["moonshine-tiny-en": ["en"], "own": ["de-DE"], "many": ["*"]], "de-DE", "own"),
            (["moonshine-tiny-en": ["en"], "many": ["*"]], "de", "many"), (["a": ["en"]], "de", nil),
        ] as [([String: [String]], String, String?)])
    func installed(models: [String: [String]], locale: String, expected: String?) {
        #expect(
            ModelRecommendation.best(of: models.map { ($0.key, $0.value) }, for: locale) == expected)
    }

    @Test("among untried ones the better one of the built-in catalogue is used, with any name")
    func catalogueOrder() throws {
        let english = try ModelCatalogue.builtIn().models.filter { $0.description.languages == ["en"] }
        let (better, worse) = try (#require(english.first), #require(english.last))
        for own in ["aaa", "zzz"] {
            let models = [(own, ["en"]), (worse.name, ["en"]), (better.name, ["en"])]
            #expect(ModelRecommendation.best(of: models, for: "en-US") == better.name)
        }
    }

    @Test(
        "the offers have the catalogue of the settings, and what packages bring; one that fails leaves the others"
    )
    func loads() async throws {
        let folder = try Folder()
        let hash = String(repeating: "0", count: 64)
        let catalogue = folder.url.appending(path: "models.json")
        let entry = ModelCatalogue.Entry(
            name: "own", licence: "MIT", attribution: "me",
            description: .init(family: .whisper, files: [:], languages: ["*"]),
            archive: .init(address: "own.tar.gz", size: 1000, sha256: hash))
        try JSONEncoder().encode(ModelCatalogue(models: [entry])).write(to: catalogue)
        let engines = EngineFolder(url: folder.url.appending(path: "engines"))
        let offers = try await ModelOffers.load(
            from: ModelSource(catalogue: catalogue.path), engines: engines)
        #expect(offers.failure == nil)
        let own = try #require(offers["own"])
        #expect(own.downloadSize == 1000 && own.attribution == "me" && !own.isTried && !own.isInstalled)
        #expect(own.knows("fr") && !own.isMade(for: "fr"))
        let tried = try #require(offers["moonshine-tiny-en"])
        #expect(Set(offers.all.filter(\.isTried).map(\.name)) == ModelRecommendation.tried)
        #expect(tried.isTried && tried.isMade(for: "en-US") && !tried.knows("de"))
        #expect(offers.missingEngineSize > 10_000_000)
        #expect(offers.bytesToFetch(tried) == offers.missingEngineSize + (tried.downloadSize ?? 0))
        let failed = try await ModelOffers.load(
            from: ModelSource(catalogue: "/nonexistent/models.json"), engines: engines)
        #expect(failed.failure != nil && failed["moonshine-tiny-en"] != nil)
    }

    @Test("the bar of an installation goes forward only, and to its end")
    func meter() {
        var meter = InstallationMeter(fetching: 100)
        let fractions = [
            meter.progress(.fetching, "a", done: 0, total: 40),
            meter.progress(.fetching, "a", done: 30, total: 40),
            // The first one was there already as far as its last report did not say.
            meter.progress(.fetching, "b", done: 10, total: 60),
            meter.progress(.fetching, "b", done: 60, total: 60),
            meter.progress(.unpacking, "b", done: 30, total: 60),
            meter.progress(.checking, "b", done: 1, total: 2),
            meter.progress(.trying, "b", done: 0, total: 0),
        ].map(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.first == 0 && fractions.last == 1)
        #expect(abs(fractions[2] - 0.5 / 1.1) < 0.001)
    }
}
