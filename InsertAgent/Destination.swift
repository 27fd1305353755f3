import Desktop
import DesktopX11
import DictationBus
import DictationService
import DictationShared
import Foundation
import Logging

/// Where texts go. This is the one place that knows which backends there are.
enum Destination {
    case focusedWindow

    /// - Parameter tellingRestrictions: whether the log is told what cannot be done there.
    func backend(
        for context: AgentContext, tellingRestrictions: Bool
    ) throws -> InsertionBackend {
        switch self {
        case .focusedWindow:
            let display = DisplaySession.current()
            let backend = try InsertionBackend.x11(
                owner: context.group.folder.path, display: display,
                presence: SessionWatch(logger: context.logger), logger: context.logger)
            if let line = display.logLine, tellingRestrictions { context.logger.warning("\(line)") }
            return backend
        }
    }
}
