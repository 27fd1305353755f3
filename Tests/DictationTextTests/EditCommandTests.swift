import Testing

@testable import DictationText

@Suite("Spoken commands that edit")
struct EditCommandTests {
    private struct Row: CustomTestStringConvertible, Sendable {
        let said: String
        let command: EditCommand?
        var testDescription: String { said }

        init(_ said: String, _ command: EditCommand?) { (self.said, self.command) = (said, command) }
    }

    private func command(_ said: String, _ language: Language = .english, lead: String = "") -> EditCommand? {
        switch EditCommands(language: language, leadWord: lead).reading(of: said) {
        case .command(let command, _): command
        case .literal, .text: nil
        }
    }

    @Test(
        "a phrase that is said alone is a command",
        arguments: [
            Row("Scratch that.", .scratch), Row("um scratch that", .scratch), Row("UNDO THAT", .undo),
            Row("delete that", .scratch),
            Row("Delete last word", .delete(.word, count: 1)),
            Row("delete the last two words.", .delete(.word, count: 2)),
            Row("delete last 3 sentences", .delete(.sentence, count: 3)),
            Row("Delete the previous line.", .delete(.line, count: 1)),
            Row("capitalize that", .setCase(.capitalized)), Row("all caps that", .setCase(.upper)),
            Row("No caps that.", .setCase(.lower)), Row("select that", .select),
            Row("New line.", .insert("\n")), Row("new paragraph", .insert("\n\n")),
            Row("press enter", .press(.enter)), Row("Press tab.", .press(.tab)),
            Row("press escape", .press(.escape)), Row("Stop listening.", .stopListening),
            Row("Replace Monday with Tuesday.", .replace([.init("Monday", with: "Tuesday")])),
            Row("change the meeting to a call", .replace([.init("the meeting", with: "a call")])),
            Row(
                "change to to two",
                .replace([.init("to", with: "two")])),
            Row(
                "replace a with b with c",
                .replace([.init("a", with: "b with c"), .init("a with b", with: "c")])),
        ])
    private func commands(row: Row) { #expect(command(row.said) == row.command) }

    @Test(
        "anything else is a text",
        arguments: [
            "I will scratch that.", "scratch that itch", "Undo that last change, please.", "the last word",
            "delete last zero words", "Select that one.", "Press enter to go on.",
            "Replace the filter. Go on with the pump.", "Change the meeting to Tuesday?", "replace with",
            "change it to", "", "um", "...", "Please delete the last word",
        ])
    func texts(said: String) { #expect(command(said) == nil) }

    @Test("“literal” makes a text of a command, and only of a command")
    func literal() {
        let commands = EditCommands(language: .english)
        #expect(commands.reading(of: "Literal scratch that.") == .literal("scratch that."))
        #expect(commands.reading(of: "literal replace a with b") == .literal("replace a with b"))
        #expect(commands.reading(of: "literal translation") == .text)
        #expect(
            EditCommands(language: .german).reading(of: "wörtlich streich das") == .literal("streich das"))
    }

    @Test(
        "the words of a command so far may begin one, each of them",
        arguments: [
            ("Scratch that.", Language.english), ("delete the last two words.", .english),
            ("um all caps that", .english), ("Literal replace a with b", .english),
            ("Stop listening", .english),
            ("change the meeting on Monday at noon to a call", .english),
            ("Lösche die letzten zwei Wörter.", .german), ("Ersetze Montag durch Dienstag.", .german),
            ("cambia lunes por martes", .spanish),
        ])
    func beginnings(said: String, language: Language) {
        let words = said.split(separator: " ")
        let commands = EditCommands(language: language)
        for count in 0...words.count {
            let beginning = words.prefix(count).joined(separator: " ")
            #expect(commands.mayBegin(with: beginning), "\(beginning)")
        }
        let led = EditCommands(language: language, leadWord: "hey typist")
        #expect(led.mayBegin(with: "hey") && led.mayBegin(with: "hey typist"))
        #expect(!led.mayBegin(with: said))
    }

    @Test(
        "no command can come of other words",
        arguments: [
            "I will scratch", "scratch the", "delete lasting", "Replace the filter. Go", "press enter to",
            "delete the last big", "literal translation",
            "change one two three four five six seven eight nine ten eleven twelve thirteen",
        ])
    func noBeginnings(said: String) { #expect(!EditCommands(language: .english).mayBegin(with: said)) }

    @Test("with a lead word, a command needs it")
    func lead() {
        #expect(command("computer scratch that", lead: "Computer") == .scratch)
        #expect(command("Computer, scratch that.", lead: "computer") == .scratch)
        #expect(command("scratch that", lead: "computer") == nil)
        #expect(
            EditCommands(language: .english, leadWord: "hey typist").reading(
                of: "Hey typist, replace A with B.")
                == .command(.replace([.init("A", with: "B")]), words: "replace A with B."))
        #expect(EditCommands(language: .english, leadWord: "computer").command("scratch that") == .scratch)
    }

    @Test("German and Spanish have their own")
    func languages() {
        #expect(command("Streich das.", .german) == .scratch)
        #expect(command("Lösche die letzten zwei Wörter.", .german) == .delete(.word, count: 2))
        #expect(
            command("Ersetze Montag durch Dienstag.", .german)
                == .replace([.init("Montag", with: "Dienstag")]))
        #expect(command("alles großschreiben", .german) == .setCase(.upper))
        #expect(command("Borra eso.", .spanish) == .scratch)
        #expect(command("cambia lunes por martes", .spanish) == .replace([.init("lunes", with: "martes")]))
        #expect(command("nueva línea", .spanish) == .insert("\n"))
        #expect(command("scratch that", Language.matching("fr-FR")) == nil)
    }

    @Test("every language has every command")
    func complete() {
        for language in Language.all {
            let sample = language.edits.map { $0.command(1, ["a", "b"]) }
            for command: EditCommand in [
                .scratch, .undo, .select, .stopListening, .press(.enter), .press(.tab), .press(.escape),
                .setCase(.capitalized), .setCase(.upper), .setCase(.lower),
                .delete(.word, count: 1), .delete(.sentence, count: 1), .delete(.line, count: 1),
                .replace([.init("a", with: "b")]),
            ] { #expect(sample.contains(command), "\(language.identifier): \(command)") }
        }
    }

    // MARK: Their effect

    private func edited(_ text: String, _ said: String, _ language: Language = .english) throws -> String {
        let command = try #require(EditCommands(language: language).command(said))
        return try TextEdit(language: language).apply(command, to: text)
    }

    @Test("words, sentences and lines go from the end")
    func deleting() throws {
        #expect(try edited("Hello big world.", "delete last word") == "Hello big")
        #expect(try edited("Hello big world.", "delete last two words") == "Hello")
        #expect(try edited("Hello.", "delete last word") == "")
        #expect(try edited("Hello.", "delete last five words") == "")
        #expect(try edited("One. Two is two. ", "delete last sentence") == "One.")
        #expect(try edited("Ask Dr. Brown. He knows.", "delete the last sentence") == "Ask Dr. Brown.")
        #expect(try edited("Ask Dr. Brown.", "delete last sentence") == "")
        #expect(try edited("Dear John\nthank you", "delete last sentence") == "Dear John")
        #expect(try edited("One\nTwo\nThree", "delete last line") == "One\nTwo")
        #expect(try edited("One\nTwo\n", "delete last line") == "One")
        #expect(try edited("One", "delete last line") == "")
        #expect(try edited("One\nTwo\nThree", "delete last two lines") == "One")
    }

    @Test("the last occurrence is replaced, whole words only")
    func replacing() throws {
        #expect(
            try edited("On Monday, not last Monday.", "replace Monday with Tuesday")
                == "On Monday, not last Tuesday.")
        #expect(try edited("The cat concatenates.", "replace cat with dog") == "The dog concatenates.")
        #expect(try edited("We met bob.", "replace bob with him and her") == "We met him and her.")
        #expect(try edited("We need 25 chairs.", "replace twenty five with thirty") == "We need 30 chairs.")
        #expect(try edited("Our database is slow.", "change data base to disk") == "Our disk is slow.")
        #expect(try edited("The first row.", "replace first with second") == "The second row.")
        #expect(try edited("It has two rows.", "replace two with three") == "It has three rows.")
        #expect(try edited("It starts at 5 PM.", "replace five with six") == "It starts at 6 PM.")
        #expect(try edited("A well-known trick.", "replace well known with simple") == "A simple trick.")
        #expect(try edited("Yes, no.", "replace comma with semicolon") == "Yes; no.")
        #expect(try edited("The end.", "replace the with an") == "An end.")
        #expect(try edited("Go to two", "change to to for") == "Go for two")
    }

    @Test("a misheard word is found by its sound, and no other one")
    func misheard() throws {
        #expect(
            try edited("Their is a male for you.", "replace there with here") == "Here is a male for you.")
        #expect(try edited("Send the male today.", "replace mail with letter") == "Send the letter today.")
        #expect(
            try edited("Ask me weather it rains.", "change whether to if") == "Ask me if it rains.")
        #expect(try edited("Call Jon now.", "replace John with Jane") == "Call Jane now.")
        #expect(throws: TextEdit.Refusal.notFound("Friday")) {
            try edited("We meet on Monday.", "replace Friday with Tuesday")
        }
        #expect(throws: TextEdit.Refusal.notFound("the oil")) {
            try edited("We meet on Monday at the gate.", "change the oil to synthetic")
        }
    }

    @Test("case, and what changes nothing")
    func cases() throws {
        #expect(try edited("the old man's house", "capitalize that") == "The Old Man's House")
        #expect(try edited("“quoted” words", "cap that") == "“Quoted” Words")
        #expect(try edited("Straße", "all caps that") == "STRASSE")
        #expect(try edited("NASA Says", "no caps that") == "nasa says")
        #expect(throws: TextEdit.Refusal.nothingToChange) { try edited("ABC", "all caps that") }
        #expect(throws: TextEdit.Refusal.noTextEdit) { try edited("ABC", "select that") }
    }

    @Test("German and Spanish words are replaced")
    func otherLanguages() throws {
        #expect(
            try edited("Wir treffen uns am Montag.", "ersetze Montag durch Dienstag", .german)
                == "Wir treffen uns am Dienstag.")
        #expect(
            try edited("Die Straße ist lang. Sehr lang.", "letzten Satz löschen", .german)
                == "Die Straße ist lang.")
        #expect(
            try edited("Nos vemos el lunes.", "cambia lunes por martes", .spanish) == "Nos vemos el martes.")
    }
}
