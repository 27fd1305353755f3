import Desktop
import DictationHTTP
import DictationPolish
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import DictationText

/// Carries out what ``TransformFlow`` decides, except what concerns the store: reads selections, and asks
/// the model of the settings.
struct TransformService: Sendable {
    private let settings: LiveSettings
    private let transformer: Transformer
    /// Nil if selections cannot be read.
    private let selections: (any SelectionReading)?
    /// Reads those of native windows; nil if they cannot be read.
    private let native: NativeSelections?

    /// - Throws: `SystemError` when there are no descriptors left.
    init(
        settings: LiveSettings, selections: (any SelectionReading)?, native: NativeSelections?
    ) throws {
        self.settings = settings
        self.selections = selections
        self.native = native
        transformer = Transformer(client: try HTTPClient())
    }

    /// The flow of a transform in a window, by the settings as they are now.
    func flow(for window: WindowInfo?) -> TransformFlow {
        let settings = settings.current
        let isKept = window.map {
            ProfileSettings.keepFromModel(
                in: settings.profiles, windowClass: $0.windowClass, title: $0.title)
        }
        return TransformFlow(
            .init(
                window: window.map { $0.title.isEmpty ? $0.windowClass : $0.title }, isNative: native != nil,
                hasModel: settings.polish.configuration != nil, isTerminal: window?.isTerminal ?? false,
                isKeptFromModel: isKept ?? false, canSee: selections != nil,
                longest: settings.transform.longest))
    }

    /// Opens the connection to the model while the user still speaks.
    func prepare() async {
        guard let configuration, let key = try? settings.current.polish.key() else { return }
        await transformer.warm(configuration, key: key)
    }

    /// - Parameter window: nil: a native one, perhaps.
    func look(at window: WindowInfo?, for id: DictationID) async -> TransformFlow.Event {
        guard let window else {
            return await native?.read(for: id) ?? .unselectable("\(SelectionObstacle.noWindow)")
        }
        guard let selections, let selected = try? await selections.selectedText(in: window) else {
            return .selected(.unreadable)
        }
        return .selected(selected)
    }

    /// - Parameter hears: see ``Transformer``.
    /// - Returns: the outcome.
    func ask(
        _ instruction: String, of selection: String, hears: @escaping @Sendable (String) -> Void
    ) async -> TransformFlow.Event {
        guard let configuration else { return .refused(TransformFlow.Problem.noModel.description) }
        let key: APIKey?
        do { key = try settings.current.polish.key() } catch { return .refused("\(error)") }
        let outcome = await transformer.transform(
            selection, by: instruction, as: configuration, key: key,
            longest: settings.current.transform.longest, hears: hears)
        return switch outcome {
        case .transformed(let text): .answered(text)
        case .kept(let reason): .refused(reason)
        }
    }

    private var configuration: PolishConfiguration? {
        let settings = settings.current
        var configuration = settings.polish.configuration
        configuration?.limit = .milliseconds(Int(settings.transform.limit * 1000))
        return configuration
    }
}
