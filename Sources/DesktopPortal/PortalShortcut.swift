import Desktop

/// The effect of a key of the desktop. Its raw value is the name under which the desktop keeps the user's choice of the key.
enum PortalShortcut: String, CaseIterable {
    case dictate
    case cancel
    case insert

    /// The user reads it in the desktop's question, and in its settings.
    var description: String {
        switch self {
        case .dictate: "Dictate: hold the key and speak, or tap it to start and again to stop"
        case .cancel: "Cancel the dictation"
        case .insert: "Insert the text that is held"
        }
    }
}

/// The keys that the desktop is asked for.
struct PortalShortcuts: Equatable {
    let dictate: Hotkey
    let insert: Hotkey?

    /// Each with its key, if one is proposed. Escape is not: no program would get it any more. All are asked for each time:
    /// the portal of KDE 5.27 fails where one that it knows is left out.
    var wanted: [(shortcut: PortalShortcut, trigger: String?)] {
        [(.dictate, dictate.portalTrigger), (.cancel, nil), (.insert, insert?.portalTrigger)]
    }
}

extension Hotkey {
    /// As the XDG specification of shortcuts writes it: modifiers in capitals, then the key's name in xkbcommon.
    var portalTrigger: String {
        let names: [(Modifiers, String)] = [
            (.control, "CTRL"), (.alt, "ALT"), (.shift, "SHIFT"), (.super, "LOGO"),
        ]
        return names.filter { modifiers.contains($0.0) }.map { $0.1 + "+" }.joined() + keyName
    }
}
