import Desktop
import DesktopPortal
import DictationSystem
import Foundation

/// Where a compositor reads its key bindings, and our file that its configuration includes.
package struct CompositorConfiguration: Equatable, Sendable {
    package let compositor: Compositor
    /// The user's own file; nil if there is none, and the compositor uses one of the system's.
    package private(set) var file: String?
    /// Our own file.
    package let ownFile: String
    private let home: String

    /// - Returns: nil for compositors whose configuration cannot include a file of key bindings.
    package init?(
        of compositor: Compositor,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        let folder = UserFolder.configuration.path(environment)
        let home = UserFolder.home(environment)
        let candidates: [String]
        let own: String
        switch compositor {
        // In the order of sway(1).
        case .sway:
            candidates = [
                "\(home)/.sway/config", "\(folder)/sway/config", "\(home)/.i3/config", "\(folder)/i3/config",
            ]
            own = "sway.conf"
        case .hyprland:
            candidates = ["\(folder)/hypr/hyprland.conf"]
            own = "hyprland.conf"
        case .river:
            candidates = ["\(folder)/river/init"]
            own = "river.sh"
        case .labwc, .gnome, .kde, .other: return nil
        }
        self.compositor = compositor
        self.home = home
        file = candidates.first { FileManager.default.fileExists(atPath: $0) }
        ownFile = "\(folder)/voicedictation/\(own)"
    }

    /// With another file of the user, unless it belongs to the system.
    package func reading(_ path: String) -> CompositorConfiguration {
        var other = self
        other.file = path.hasPrefix("/etc/") || path.hasPrefix("/usr/") || path.isEmpty ? nil : path
        return other
    }

    /// The two lines that the user's file gets.
    package var includeLines: [String] {
        let path = ownFile.hasPrefix(home + "/") ? "~" + ownFile.dropFirst(home.count) : ownFile
        let include =
            switch compositor {
            case .hyprland: "source = \(path)"
            case .river: "sh \(path)"
            default: "include \(path)"
            }
        return [Self.comment, include]
    }

    private static let comment = "# VoiceDictation; removed by: dictstate setup --remove-bindings"

    /// The user's file; empty if there is none, or it cannot be read.
    package var contents: [UInt8] {
        file.flatMap { FileManager.default.contents(atPath: $0) }.map(Array.init) ?? []
    }

    /// The bindings of the user's own file.
    package var bindings: [ConfiguredBinding] {
        ConfiguredBinding.all(in: String(decoding: contents, as: UTF8.self), of: compositor)
    }

    /// The compositor may have been told another file than the usual one when it was started.
    private static let includer = "# Included by "

    /// The contents that our file should have.
    package func text(of bindings: KeyBindings) -> String {
        let head =
            (compositor == .river ? ["#!/bin/sh"] : []) + [
                "# Written by dictstate setup bindings, which writes it again when the hotkey changes.",
                Self.includer + (file ?? ""),
            ]
        return (head + bindings.lines(for: compositor)).map { $0 + "\n" }.joined()
    }

    /// Whether the compositor has bindings for the hotkey: ours, as they would be written now, or others of the user's that
    /// run dictstate.
    package func hasBindings(for hotkey: Hotkey?) -> Bool {
        if bindings.contains(where: \.isForDictation) { return true }
        guard let hotkey else { return false }
        return ownBindings.contains { $0.binds(hotkey) }
    }

    /// Whether it has bindings for a further key: ours, or others of the user's that run dictstate on it, or for it.
    package func hasBindings(forFurther hotkey: Hotkey) -> Bool {
        let users = bindings.filter { $0.isForDictation && ($0.binds(hotkey) || $0.names(hotkey)) }
        return !users.isEmpty || ownBindings.contains { $0.binds(hotkey) }
    }

    /// Those of our own file; none if no file of the user's includes it, or if it was written for programs that are
    /// in another place now.
    private var ownBindings: [ConfiguredBinding] {
        guard let text = try? String(contentsOfFile: ownFile, encoding: .utf8) else { return [] }
        let lines = text.split(whereSeparator: \.isNewline)
        let includer = lines.first { $0.hasPrefix(Self.includer) }.map { $0.dropFirst(Self.includer.count) }
        guard includer.map({ reading(String($0)).isIncluded }) ?? isIncluded else { return [] }
        return ConfiguredBinding.all(in: text, of: compositor)
            .filter { KeyBindings.runsInstalledProgram($0.line) }
    }

    package var isIncluded: Bool { ConfigurationText(contents).contains(includeLines[1]) }
}

extension KeyBindings {
    /// Whether the dictstate of our command is still in its place.
    static func runsInstalledProgram(_ command: String) -> Bool {
        dictstatePath(in: command).map(FileManager.default.isExecutableFile(atPath:)) ?? true
    }
}

extension HotkeySource.Found {
    /// The facts of this session.
    ///
    /// - Parameters:
    ///   - hotkeys: all that the settings name, the usual one first.
    ///   - isPortalKnown: whether the session is known to have the portal, which may not answer while it is restarted.
    package static func current(
        _ session: DisplaySession, hotkeys: [Hotkey], isPortalKnown: Bool = false
    ) -> HotkeySource.Found {
        // On X11, and without a hotkey, nothing of this matters.
        guard session.isWayland, let hotkey = hotkeys.first else { return HotkeySource.Found() }
        let compositor = session.compositor?.name
        let configuration = compositor.flatMap { CompositorConfiguration(of: $0) }
        let further = Array(hotkeys.dropFirst())
        let hasBindings = configuration?.hasBindings(for: hotkey) ?? false
        let shortcuts = compositor == .gnome ? GNOMEShortcuts.dictationKeyCount() : 0
        return HotkeySource.Found(
            hasBindings: hasBindings,
            // The bindings come first, and a portal can take long to start.
            hasPortal: !hasBindings && (isPortalKnown || PortalHotkeys.areOffered()),
            hasShortcut: shortcuts > 0,
            unbound: hasBindings
                ? further.filter { configuration?.hasBindings(forFurther: $0) == false }
                : Array(further.dropFirst(max(0, shortcuts - 1))))
    }
}
