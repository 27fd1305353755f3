import Foundation

/// The engines, models and languages that this machine can recognize speech with.
public struct DeviceCapabilities: Sendable, Equatable {
    public struct Model: Sendable, Equatable {
        public var name: String
        /// As ``SpeechRecognizer/locales``.
        public var locales: [String]
        public var features: Set<RecognizerFeature>
    }

    public struct Engine: Sendable, Equatable {
        public var name: String
        /// The missing part, and how to get it; nil if the engine can be used.
        public var problem: SpeechSessionError?
        public var models: [Model]
    }

    public var engines: [Engine]
}

extension SpeechSession {
    /// The engines that can be used here. Only checks files: nothing is loaded, and no server is asked.
    public static func deviceCapabilities(_ folder: EngineFolder = .standard()) -> DeviceCapabilities {
        DeviceCapabilities(engines: [pocketSphinx, sherpa(folder)])
    }

    /// The installed model of sherpa-onnx that is used if none is named: the one that `host-agent models recommend`
    /// would name first.
    ///
    /// - Returns: nil if the library is not installed, or no model that knows the language.
    public static func installedModel(
        for locale: String, in folder: EngineFolder = .standard()
    ) -> String? {
        let engine = sherpa(folder)
        guard engine.problem == nil else { return nil }
        return ModelRecommendation.best(of: engine.models.map { ($0.name, $0.locales) }, for: locale)
    }

    /// The names of the installed models of sherpa-onnx, of all languages.
    public static func installedModels(in folder: EngineFolder = .standard()) -> [String] {
        sherpa(folder).models.map(\.name)
    }

    /// Whether an installed model of sherpa-onnx knows a language.
    ///
    /// - Returns: nil if no model of that name is installed.
    public static func installedModel(
        _ name: String, knows locale: String, in folder: EngineFolder = .standard()
    ) -> Bool? {
        sherpa(folder).models.first { $0.name == name }?.locales
            .contains { $0 == "*" && locale != SpokenLanguage.found || $0.isLanguage(of: locale) }
    }

    private static var pocketSphinx: DeviceCapabilities.Engine {
        let model = PocketSphinxModel.debianEnglish
        var problem: SpeechSessionError?
        do { try model.check() } catch { problem = error as? SpeechSessionError }
        let there = DeviceCapabilities.Model(
            name: "en-us", locales: [model.locale], features: Set(RecognizerFeature.allCases))
        return .init(name: "pocketsphinx", problem: problem, models: problem == nil ? [there] : [])
    }

    private static func sherpa(_ folder: EngineFolder) -> DeviceCapabilities.Engine {
        let library = folder.sherpaLibrary.path(percentEncoded: false)
        let models = ModelStore(folder: folder.models).installed().compactMap { model in
            model.description.flatMap { $0.family.setsMarks ? nil : $0 }.map {
                DeviceCapabilities.Model(
                    name: model.name, locales: $0.locales, features: $0.family.features)
            }
        }
        let problem: SpeechSessionError? =
            if !FileManager.default.isReadableFile(atPath: library) {
                .libraryMissing(engine: SherpaRecognizer.name, path: library)
            } else if models.isEmpty {
                .modelNotFound(engine: SherpaRecognizer.name, path: folder.models.path(percentEncoded: false))
            } else {
                nil
            }
        return .init(name: SherpaRecognizer.name, problem: problem, models: models)
    }
}
