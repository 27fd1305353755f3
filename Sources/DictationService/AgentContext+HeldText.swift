import DictationShared
import Logging

extension AgentContext {
    /// The key for held texts was pressed: asks for the newest one, as `dictstate insert` would.
    public func askForHeldText() {
        do {
            guard let held = try store.newestHeld() else {
                logger.notice("the key for held texts was pressed, but no text is held")
                return
            }
            _ = try store.submit(.insert(held.id))
        } catch {
            logger.error("the held text cannot be asked for: \(error)")
        }
    }
}
