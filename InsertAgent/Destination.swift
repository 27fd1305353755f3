import Desktop
import DesktopFile
import DesktopIBus
import DesktopWayland
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import Foundation
import Logging

/// Where texts go. This is the only place that chooses the backend.
enum Destination {
    case focusedWindow
    case file(String)

    /// Settings about windows, which a file does not have.
    var preparation: LiveSettings.Preparation {
        guard case .file = self else { return { _ in } }
        return { loaded in
            loaded.override(\.insert.method, "insert.method", with: .type, by: "--to")
            if loaded.values.insert.policy == .origin {
                loaded.override(\.insert.policy, "insert.policy", with: .focused, by: "--to")
            }
        }
    }

    /// - Parameter tellingRestrictions: whether the restrictions of this desktop are logged.
    func backend(
        for context: AgentContext, tellingRestrictions: Bool
    ) throws -> InsertionBackend {
        switch self {
        case .focusedWindow:
            let session = DisplaySession.current()
            var backend = try InsertionBackend.desktop(
                owner: context.group.folder.path, session: session,
                presence: SessionWatch(logger: context.logger), logger: context.logger)
            let note = context.group.folder.appending(path: AppGroupConstants.File.inputMethod).path
            let preedit = IBusPreedit(note: note, logger: context.logger)
            backend.preedit = preedit
            backend.commit = IBusTyping(
                windows: backend.windows, hasPassedOn: DisplaySession.hasCompositorAnswered,
                preedit: preedit, note: note, logger: context.logger)
            if tellingRestrictions, let line = SessionAbilities.windowsLogLine(of: session) {
                context.logger.warning("\(line)")
            }
            return backend
        case .file(let path):
            let journal = context.group.folder.appending(path: AppGroupConstants.File.writing)
            let group = context.group
            return try .file(path, journal: journal.path) { group.releaseReserve() }
        }
    }
}
