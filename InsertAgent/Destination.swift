import Desktop
import DesktopFile
import DesktopX11
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import Foundation
import Logging

/// Where texts go. This is the one place that knows which backends there are.
enum Destination {
    case focusedWindow
    case file(String)

    /// What the settings say of windows that a file has not.
    var preparation: LiveSettings.Preparation {
        guard case .file = self else { return { _ in } }
        return { loaded in
            loaded.override(\.insert.method, "insert.method", with: .type, by: "--to")
            if loaded.values.insert.policy == .origin {
                loaded.override(\.insert.policy, "insert.policy", with: .focused, by: "--to")
            }
        }
    }

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
        case .file(let path):
            let journal = context.group.folder.appending(path: AppGroupConstants.File.writing)
            return try .file(path, journal: journal.path)
        }
    }
}
