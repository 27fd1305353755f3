import Desktop

/// The effect of a key of the desktop. Its name is the one under which the desktop keeps the user's choice of the key.
enum PortalShortcut: Hashable {
    case dictate
    case cancel
    case insert
    /// A further key for dictation, by the one that the settings name.
    case dictateWith(String)

    private static let dictatePrefix = "dictate-with-"

    var name: String {
        switch self {
        case .dictate: "dictate"
        case .cancel: "cancel"
        case .insert: "insert"
        case .dictateWith(let key): Self.dictatePrefix + key
        }
    }

    init?(name: String) {
        switch name {
        case "dictate": self = .dictate
        case "cancel": self = .cancel
        case "insert": self = .insert
        default:
            guard name.hasPrefix(Self.dictatePrefix) else { return nil }
            self = .dictateWith(String(name.dropFirst(Self.dictatePrefix.count)))
        }
    }
}

/// The keys that the desktop is asked for.
struct PortalShortcuts: Equatable {
    /// A further key for dictation.
    struct Further: Equatable {
        let hotkey: Hotkey
        /// Its text for the user, such as "Dictate (de-DE, mail)".
        let description: String
    }

    /// Nil if the user wants none.
    let dictate: Hotkey?
    var further: [Further] = []
    let insert: Hotkey?

    /// A shortcut as the desktop is asked to show and to propose it.
    struct Wanted: Equatable {
        let shortcut: PortalShortcut
        /// The user reads it in the desktop's question, and in its settings.
        let description: String
        /// Nil if no key is proposed.
        let trigger: String?
    }

    /// Escape is not proposed: otherwise no program would get it any more. All are requested each time: the
    /// portal of KDE 5.27 fails if one that it knows is left out.
    var wanted: [Wanted] {
        let dictate = Wanted(
            shortcut: .dictate,
            description: "Dictate: hold the key and speak, or tap it to start and again to stop",
            trigger: dictate?.portalTrigger)
        return [dictate]
            + further.map {
                Wanted(
                    shortcut: .dictateWith("\($0.hotkey)"), description: $0.description,
                    trigger: $0.hotkey.portalTrigger)
            } + [
                Wanted(shortcut: .cancel, description: "Cancel the dictation", trigger: nil),
                Wanted(
                    shortcut: .insert, description: "Insert the held text",
                    trigger: insert?.portalTrigger),
            ]
    }

    /// The dictation key of a shortcut; nil for shortcuts that do not dictate.
    func hotkey(of shortcut: PortalShortcut) -> Hotkey? {
        switch shortcut {
        case .dictate: dictate
        case .dictateWith(let key): further.first { "\($0.hotkey)" == key }?.hotkey
        case .cancel, .insert: nil
        }
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
