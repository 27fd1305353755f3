/// "a dot b c at g mail dot com", "w w w dot example dot com slash news".
///
/// A single word is a label, and so are letters and digits that are spelled. Two ordinary words with "dot" between
/// them are an address where the last one is a known domain.
struct Addresses: SpokenForm {
    let rule = CleaningRule.addresses

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        if let scheme = scheme(at: place, in: reader) { return scheme }
        if let site = webSite(at: place, in: reader) { return site }
        if let path = filePath(at: place, in: reader) { return path }
        guard var first = name(at: place, from: place, in: reader) else { return nil }
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
            let more = self.label(at: label.end + 1, from: start, in: reader)
        {
            text += sign + more.text
            label = more
        }
        return WrittenForm(text: text, end: label.end)
    }

    private func sign(at place: Int, from start: Int, in reader: NumberReader) -> String? {
        guard let key = reader.key(place, from: start) else { return nil }
        return key == reader.language.addresses.dot ? "." : reader.language.addresses.signs[key]
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
                    next == place || !stopsAfter(next, from: start, reader)
                else { break }
                text += reader.words[next].core
                next += 1
                break
            } else {
                break
            }
        }
        guard !text.isEmpty else { return nil }
        if text.lowercased() == "www" { text = "www" }
        return Label(text: text, end: next, isSpelled: isSpelled && next - place > 1)
    }

    /// A word behind a letter belongs to it only where the address goes on: "a mail" does not.
    private func stopsAfter(_ place: Int, from start: Int, _ reader: NumberReader) -> Bool {
        reader.key(place + 1, from: start) != reader.language.addresses.dot
    }

    private func isWord(_ key: String, _ word: Word, _ language: AddressWords) -> Bool {
        key != language.at && key != language.dot && !language.slash.contains(key)
            && language.signs[key] == nil
            && word.core.utf8.allSatisfy {
                Bytes.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// "My dash company".
    private func hyphenated(at place: Int, from start: Int, in reader: NumberReader) -> Label? {
        guard var whole = label(at: place, from: start, in: reader) else { return nil }
        while sign(at: whole.end, from: start, in: reader) == "-",
            let more = label(at: whole.end + 1, from: start, in: reader)
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
            if isKnown || isSpelled || first.text == "www"
                || language.domains.contains(last.text.lowercased())
            {
                best = WrittenForm(text: text, end: end)
            }
        }
        return best
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
    private func filePath(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language.addresses
        guard let key = reader.key(place, from: place), !language.slash.isEmpty else { return nil }
        let isAbsolute = language.slash.contains(key)
        guard
            let first = isAbsolute
                ? WrittenForm(text: "", end: place) : name(at: place, from: place, in: reader),
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
