import DictationService
import DictationShared
import Logging

extension AgentContext {
    /// Records how the delivery of a text has ended. If another program has ended it already, that holds,
    /// and what is typed of it still counts.
    ///
    /// - Returns: the dictation after it.
    func settle(_ id: DictationID, _ transition: DictationTransition) throws -> DictationState {
        do {
            return try keeper.apply(transition, to: id)
        } catch let refusal as TransitionRefused {
            guard let state = try store.dictation(id) else { throw refusal }
            logger.warning("\(refusal): another program has changed it while it was typed")
            guard case .inserted = transition else { return state }
            return try store.recount([id: state.cleanedText.unicodeScalars.count]).first ?? state
        }
    }
}
