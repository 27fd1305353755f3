/// "a dot b c at g mail dot com", "w w w dot example dot com slash news".
///
/// A single word is a label, and so are letters and digits that are spelled. Two ordinary words with "dot" between
/// them are an address if the last one is a known domain.
struct Addresses: SpokenForm {
    let rule = CleaningRule.addresses

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        if let scheme = scheme(at: place, in: reader) { return scheme }
        if let site = webSite(at: place, in: reader) { return site }
        let name = name(at: place, from: place, in: reader)
        if let path = filePath(at: place, named: name, in: reader) { return path }
        guard var first = name else { return nil }
        let language = reader.language.addresses
        // "Smith seventy two at"
        if !reader.words[place].isNumber,
            let number = reader.row(at: first.end, from: place, withTens: true),
            reader.key(number.end, from: place) == language.at
        {
            first = WrittenForm(text: first.text + number.digits, end: number.end)
        }
        let isPlainWord = first.end == place + 1 && reader.words[place].core.count > 1
        if reader.key(first.end, from: place) == language.at {
            if isPlainWord, language.notNames.contains(reader.words[place].key) { return nil }
            guard let domain = domain(at: first.end + 1, from: place, in: reader) else { return nil }
            return WrittenForm(text: first.text + "@" + domain.text, end: domain.end)
        }
        // "the dot com bubble"
        if language.articles.contains(reader.words[place].key) { return nil }
        if isFile(first.text, language) { return path(behind: first, from: place, in: reader) }
        guard let site = domain(at: place, from: place, in: reader) else { return nil }
        return path(behind: site, from: place, in: reader)
    }

    /// "http colon slash slash …"
    private func scheme(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language.addresses
        guard let key = reader.key(place, from: place), language.schemes.contains(key),
            reader.key(place + 1, from: place) == language.colon
        else { return nil }
        let slashes = (2...3).allSatisfy { offset in
            reader.key(place + offset, from: place).map(language.slash.contains) ?? false
        }
        guard slashes, let site = domain(at: place + 4, from: place, in: reader, isKnown: true) else {
            return nil
        }
        let whole = path(behind: site, from: place, in: reader)
        return WrittenForm(text: key + "://" + whole.text, end: whole.end)
    }

    /// "W W W. example dot com", as some recognizers write it.
    private func webSite(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.words
        guard place + 3 < words.count, words[place...].prefix(3).allSatisfy({ $0.key == "w" }),
            words[place + 2].trail == ".", let site = domain(at: place + 3, from: place + 3, in: reader)
        else { return nil }
        let whole = path(behind: site, from: place + 3, in: reader)
        return WrittenForm(text: "www." + whole.text, end: whole.end)
    }

    private struct Label {
        var text: String
        var end: Int
        /// Letter by letter, or with digits.
        var isSpelled: Bool
    }

    /// Before "at": labels with dots, hyphens and the like between them.
    private func name(at place: Int, from start: Int, in reader: NumberReader) -> WrittenForm? {
        guard var label = label(at: place, from: start, in: reader) else { return nil }
        var text = label.text
        while let sign = sign(at: label.end, from: start, in: reader),
            let more = self.label(at: sign.end, from: start, in: reader)
        {
            text += sign.text + more.text
            label = more
        }
        return WrittenForm(text: text, end: label.end)
    }

    private func sign(at place: Int, from start: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language.addresses
        if let (text, end) = reader.match(language.longSigns, at: place, from: start, longest: 2) {
            return WrittenForm(text: text, end: end)
        }
        guard let key = reader.key(place, from: start),
            let text = key == language.dot ? "." : language.signs[key]
        else { return nil }
        return WrittenForm(text: text, end: place + 1)
    }

    /// "g mail", "example", "a b c one".
    private func label(at place: Int, from start: Int, in reader: NumberReader) -> Label? {
        let language = reader.language.addresses
        var text = ""
        var next = place
        var isSpelled = false
        while let key = reader.key(next, from: start) {
            if key.count == 1, key.first?.isLetter == true {
                text += reader.words[next].core
                next += 1
                isSpelled = true
            } else if let (digits, end) = reader.rowStep(at: next, from: start),
                key != reader.language.signs.plus
            {
                text += digits
                next = end
                isSpelled = true
            } else if next == place || text.count == 1, isWord(key, reader.words[next], language) {
                // "g mail" is a letter and a word.
                guard next == place || !reader.words[next].isCapitalized,
                    next == place || !stopsAfter(next, from: start, reader),
                    // Spanish "a un punto muerto".
                    next == place || !language.wordLetters.contains(text.lowercased())
                else { break }
                text += Self.unaccented(reader.words[next].core)
                next += 1
                // Nobody spells a part of "L con punto medio".
                isSpelled = false
                break
            } else {
                break
            }
        }
        guard !text.isEmpty else { return nil }
        if text.lowercased() == "www" { text = "www" }
        return Label(text: text, end: next, isSpelled: isSpelled && next - place > 1)
    }

    /// A word after a letter belongs to it only if the address continues: "a mail" does not.
    private func stopsAfter(_ place: Int, from start: Int, _ reader: NumberReader) -> Bool {
        reader.key(place + 1, from: start) != reader.language.addresses.dot
    }

    private func isWord(_ key: String, _ word: Word, _ language: AddressWords) -> Bool {
        key != language.at && key != language.dot && !language.slash.contains(key)
            && language.signs[key] == nil
            && word.core.allSatisfy { $0.isLetter || $0.isASCII && $0.isNumber || $0 == "-" || $0 == "_" }
    }

    /// A recognizer writes the name "García" with its accent; addresses have none. Umlauts are not accents: "müller" may be
    /// "mueller" or a separate domain.
    private static func unaccented(_ label: String) -> String {
        label.utf8.allSatisfy { $0 < 0x80 } ? label : String(label.map { accents[$0] ?? $0 })
    }

    private static let accents: [Character: Character] = [
        "á": "a", "é": "e", "í": "i", "ó": "o", "ú": "u", "Á": "A", "É": "E", "Í": "I", "Ó": "O", "Ú": "U",
    ]

    /// "My dash company".
    private func hyphenated(at place: Int, from start: Int, in reader: NumberReader) -> Label? {
        guard var whole = label(at: place, from: start, in: reader) else { return nil }
        while let hyphen = sign(at: whole.end, from: start, in: reader), hyphen.text == "-",
            let more = label(at: hyphen.end, from: start, in: reader)
        {
            whole.text += "-" + more.text
            whole.end = more.end
        }
        return whole
    }

    /// Labels with dots between them. The last is a known domain, or spelled.
    private func domain(
        at place: Int, from start: Int, in reader: NumberReader, isKnown: Bool = false
    ) -> WrittenForm? {
        let language = reader.language.addresses
        guard let first = hyphenated(at: place, from: start, in: reader) else { return nil }
        var text = first.text
        var end = first.end
        var isSpelled = first.isSpelled
        var count = 1
        var best: WrittenForm?
        while let dot = reader.key(end, from: start), dot == language.dot,
            let label = label(at: end + 1, from: start, in: reader)
        {
            let last = lastLabel(label, at: end + 1, from: start, in: reader)
            text += "." + last.text
            end = last.end
            count += 1
            isSpelled = isSpelled || last.isSpelled
            // The address ends with the last label that may be a domain.
            let isSure = isKnown || first.text == "www"
            guard isSure || place > start || !mayBeWord(last, from: start, in: reader) else { continue }
            if isSure || isSpelled || language.domains.contains(last.text.lowercased()) {
                best = WrittenForm(text: text, end: end)
            }
        }
        return best
    }

    /// "Este punto es importante": the last label is a word of the sentence.
    private func mayBeWord(_ last: Label, from start: Int, in reader: NumberReader) -> Bool {
        let language = reader.language.addresses
        guard language.wordDomains.contains(last.text.lowercased()),
            let next = reader.key(last.end, from: start)
        else { return false }
        return !language.slash.contains(next)
    }

    /// "dot com" ends at the known domain, even if letters follow: "dot com a".
    private func lastLabel(_ label: Label, at place: Int, from start: Int, in reader: NumberReader) -> Label {
        guard reader.language.addresses.domains.contains(reader.words[place].key), label.end > place + 1
        else {
            return label
        }
        return Label(text: reader.words[place].core, end: place + 1, isSpelled: false)
    }

    /// "slash etc slash passwd", "source slash main dot swift"; "and slash or".
    ///
    /// - Parameter name: the name that begins there, if one does.
    private func filePath(at place: Int, named name: WrittenForm?, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language.addresses
        guard let key = reader.key(place, from: place), !language.slash.isEmpty else { return nil }
        let isAbsolute = language.slash.contains(key)
        guard
            let first = isAbsolute ? WrittenForm(text: "", end: place) : name,
            reader.key(first.end, from: place).map(language.slash.contains) == true
        else { return nil }
        let whole = path(behind: first, from: place, in: reader)
        if !isAbsolute {
            // The "d" of "c d slash home" is no folder.
            if key.count == 1, reader.keyBefore(place)?.count == 1 { return nil }
            let pair = whole.text.lowercased().split(separator: "/").map(String.init)
            if language.slashed.contains(pair) { return whole }
            // "Open the file slash etc slash passwd"
            if language.beforePaths.contains(first.text.lowercased()) { return nil }
        }
        let slashes = whole.text.count { $0 == "/" }
        return slashes > 1 || isFile(whole.text, language) ? whole : nil
    }

    private func isFile(_ name: String, _ language: AddressWords) -> Bool {
        name.split(separator: ".").dropFirst().last.map { language.fileEndings.contains($0.lowercased()) }
            ?? false
    }

    private func path(behind site: WrittenForm, from start: Int, in reader: NumberReader) -> WrittenForm {
        var whole = site
        while let slash = reader.key(whole.end, from: start), reader.language.addresses.slash.contains(slash),
            let part = name(at: whole.end + 1, from: start, in: reader)
        {
            whole = WrittenForm(text: whole.text + "/" + part.text, end: part.end)
        }
        return whole
    }
}
