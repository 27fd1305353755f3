import Desktop
import DictationShared
import DictationSystem

/// One transform: carries out what ``TransformFlow`` decides, and reports the result.
actor TransformRun {
    enum Ending: Equatable, Sendable {
        case replace(Intent.ReplaceRequest)
        /// The selected text stays as it is.
        case failed(TransformFlow.Problem)
    }

    private let service: TransformService
    private let hears: @Sendable (String) -> Void
    private var flow: TransformFlow
    private var asking: Task<Void, Never>?
    /// Nil while it continues.
    private(set) var ending: Ending?
    private var waiting: [CheckedContinuation<Ending, Never>] = []

    /// - Parameter hears: called with the model's answer so far, as it comes.
    init(_ flow: TransformFlow, by service: TransformService, hears: @escaping @Sendable (String) -> Void) {
        self.flow = flow
        self.service = service
        self.hears = hears
    }

    /// Reads the selection of the window, and opens the connection to the model at the same time.
    ///
    /// - Parameter window: nil if only insert-agent knows it.
    /// - Returns: the reason why it cannot continue; nil if it can.
    func look(at window: WindowInfo?, for id: DictationID) async -> TransformFlow.Problem? {
        Task { [service] in await service.prepare() }
        handle(await service.look(at: window, for: id))
        if case .failed(let problem)? = ending { return problem }
        return nil
    }

    /// - Parameter words: the instruction for the change of the selection.
    func instruct(_ words: String) { handle(.instructed(words)) }

    func cancel() { handle(.cancelled) }

    /// Returns when it is over.
    func end() async -> Ending {
        if let ending { return ending }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func handle(_ event: TransformFlow.Event) {
        for effect in flow.handle(event) {
            switch effect {
            case .ask(let selection, let instruction):
                asking = Task { [service, hears] in
                    handle(await service.ask(instruction, of: selection, hears: hears))
                }
            case .replace(let request): end(as: .replace(request))
            case .fail(let problem): end(as: .failed(problem))
            case .giveUp: asking?.cancel()
            }
        }
    }

    private func end(as ending: Ending) {
        self.ending = ending
        for continuation in waiting { continuation.resume(returning: ending) }
        waiting = []
    }
}
