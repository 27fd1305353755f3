import DictationService
import DictationSettings
import DictationShared
import Foundation
import Logging

/// Writes the transitions of dictations. One that cannot be written is logged, and the recording continues.
extension AgentContext {
    @discardableResult
    func save(_ transition: DictationTransition, of id: DictationID) -> DictationState? {
        do {
            return try keeper.apply(transition, to: id)
        } catch is TransitionRefused {
            // A partial result or the first frame came after the end: it is not needed any more.
            logger.debug("too late to \(transition.name)")
        } catch {
            logger.error("\(error). The audio is kept in \(group.audio(of: id).path)")
        }
        return nil
    }

    /// Commits a dictation as a command that the inserter carries out.
    ///
    /// - Returns: why the store does not take it; nil if it does, or the dictation has already ended.
    func save(
        _ text: DictationTransition.Recognized, asking action: Intent.Action, of id: DictationID
    ) -> String? {
        do {
            try keeper.apply(
                text, asking: action, of: id,
                timeToLive: settings.current.insert.patience * 1000)
        } catch is TransitionRefused {
            logger.debug("too late for a command")
        } catch {
            logger.error("the store does not take a command: \(error)")
            return "\(error)"
        }
        return nil
    }
}
