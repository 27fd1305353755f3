import Desktop
import DesktopX11
import DictationSettings
import DictationShared

extension HostSettings {
    /// The key to grab; nil for none.
    package func parsedHotkey() throws(Hotkey.ParseError) -> Hotkey? {
        hotkey == Self.noHotkey ? nil : try Hotkey(parsing: hotkey)
    }
}

extension Settings {
    /// The keys for dictation with options of their own.
    package func furtherHotkeys() throws(Hotkey.ParseError) -> [Hotkey] {
        var keys: [Hotkey] = []
        for section in furtherKeys { keys.append(try Hotkey(parsing: section.key)) }
        return keys
    }

    /// Those that do their work with one press.
    package func tappedHotkeys() throws(Hotkey.ParseError) -> [Hotkey] {
        var keys: [Hotkey] = []
        for case let section in furtherKeys {
            if case .fixed? = section.transform { keys.append(try Hotkey(parsing: section.key)) }
        }
        return keys
    }

    /// All keys for dictation to grab.
    package func dictationHotkeys() throws(Hotkey.ParseError) -> [Hotkey] {
        guard host.grabsKeys else { return [] }
        let further = try furtherHotkeys()
        return try host.parsedHotkey().map { [$0] + further } ?? further
    }

    /// The names of all keys for dictation.
    package var dictationHotkeyNames: [String] {
        (host.hotkey == HostSettings.noHotkey ? [] : [host.hotkey]) + furtherKeys.map(\.key)
    }

    /// The options of a key; nil for one of no `[[hotkey]]`.
    package func options(of hotkey: Hotkey) -> StartOptions? {
        furtherKeys.first { (try? Hotkey(parsing: $0.key)) == hotkey }?.options
    }

    /// The key to grab for held texts; nil for none, and if it is one for dictation.
    package func parsedHeldHotkey() throws(Hotkey.ParseError) -> Hotkey? {
        guard insert.heldHotkey != HostSettings.noHotkey else { return nil }
        let hotkey = try Hotkey(parsing: insert.heldHotkey)
        return setting(withHotkey: hotkey) == nil ? hotkey : nil
    }

    /// The setting that makes a key one for dictation; nil for none.
    fileprivate func setting(withHotkey hotkey: Hotkey) -> String? {
        if (try? host.parsedHotkey()) == hotkey { return "host.hotkey" }
        if (try? Hotkey(parsing: transform.hotkey)) == hotkey { return "transform.hotkey" }
        return options(of: hotkey) == nil ? nil : "a [[hotkey]]"
    }

    /// The key to press for a held text; nil if no key is grabbed.
    package var shownHeldHotkey: String? {
        guard (try? parsedHeldHotkey()).flatMap({ $0 }) != nil else { return nil }
        // As printed on keys: Shift+F9.
        return insert.heldHotkey.split(separator: "+").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: "+")
    }
}

extension LoadedSettings {
    /// Refuses a hotkey of held texts that is invalid, or that is one for dictation, and names its place in
    /// the file.
    package func checkHeldHotkey() throws(SettingsError) {
        let name = "insert.held-hotkey"
        guard values.insert.heldHotkey != HostSettings.noHotkey else { return }
        let hotkey: Hotkey
        do {
            hotkey = try Hotkey(parsing: values.insert.heldHotkey)
        } catch {
            throw problem(with: name, "\(error)")
        }
        // The default gives way to a key that the user has chosen.
        guard origin(of: name) != .standard, let owner = values.setting(withHotkey: hotkey) else { return }
        throw problem(with: name, "\(hotkey) is the key of \(owner); choose another one")
    }

    /// Refuses an invalid hotkey, and options of a key that name nothing, and names their place in the file.
    package func checkHotkey() throws(SettingsError) {
        var known: [Hotkey] = []
        do {
            if let hotkey = try values.host.parsedHotkey() { known = [hotkey] }
        } catch {
            throw problem(with: "host.hotkey", "\(error)")
        }
        for (index, section) in values.furtherKeys.enumerated() {
            let part = values.hotkeys.indices.contains(index) ? "hotkey[\(index)]" : nil
            let name = part.map { "\($0).key" } ?? "transform.hotkey"
            guard !section.key.isEmpty else {
                throw problem(with: name, "each [[hotkey]] needs a key, such as key = \"shift+F9\"")
            }
            let hotkey: Hotkey
            do {
                hotkey = try Hotkey(parsing: section.key)
            } catch {
                throw problem(with: name, "\(error)")
            }
            guard !known.contains(hotkey) else {
                throw problem(with: name, "\(hotkey) is a key for dictation already")
            }
            known.append(hotkey)
            guard let part else { continue }
            if let key = section.idleKey {
                throw problem(
                    with: "\(part).\(key)", "“\(key)” has no effect for a key that changes the selected text")
            }
            if let failure = values.problem(of: section.options) {
                throw problem(with: "\(part).\(failure.key)", failure.reason)
            }
        }
    }
}

extension Settings {
    /// The problem of a dictation's options: the key of `[[hotkey]]`, and the reason; nil if they can be
    /// used.
    package func problem(of options: StartOptions) -> (key: String, reason: String)? {
        if let engine = options.engine, SpeechEngine(rawValue: engine) == nil {
            return ("engine", "there is no engine “\(engine)”; allowed: \(SpeechEngine.expectation)")
        }
        if let style = options.style, let reason = problem(ofStyleNamed: style) { return ("style", reason) }
        if let profile = options.profile, !profiles.contains(where: { $0.name == profile }) {
            let names = profiles.map(\.name).filter { !$0.isEmpty }
            let known = names.isEmpty ? "none has a name" : "there are \(names.joined(separator: ", "))"
            return ("profile", "there is no [[profile]] with the name “\(profile)”: \(known)")
        }
        return nil
    }

    /// The options of a dictation with those of its key.
    ///
    /// - Throws: ``UnusableOptions``
    package func resolving(_ options: StartOptions) throws(UnusableOptions) -> StartOptions {
        var all = options
        if let name = options.hotkey {
            guard let hotkey = try? Hotkey(parsing: name), let own = self.options(of: hotkey) else {
                throw UnusableOptions(reason: "no [[hotkey]] in the settings has the key “\(name)”")
            }
            all = options.over(own)
        }
        if let failure = problem(of: all) { throw UnusableOptions(reason: failure.reason) }
        return all
    }
}

/// Why a dictation cannot begin as it was asked for.
package struct UnusableOptions: Error, Equatable, CustomStringConvertible {
    package let reason: String
    package var description: String { reason }
}
