import SelfCorrection

extension Language {
    /// Spanish: hesitations, repetitions, numbers, marks, capitals.
    public static let spanish = Language(
        identifier: "es",
        words: WordKinds.table(Spanish.lists, numbers: Spanish.numbers, marks: Spanish.marks),
        // No bare "no", which is "not" as well: "el martes no el miércoles".
        corrections: corrections, modelWords: Spanish.modelWords,
        listWords: ["y", "o", "ni", "pero"],
        denyingWords: ["no"],         numbers: Spanish.numbers, marks: Spanish.marks,
        negations: [
            "no", "nunca", "jamás", "nadie", "nada", "ningún", "ninguno", "ninguna", "sin", "ni", "tampoco",
            "apenas", "salvo", "excepto",
        ],
        snippetWords: ["insertar"])
    private static let corrections: CorrectionWords = {
        var words = CorrectionWords()
        words.editTerms = byFirstWord(
            """
            perdón, digo, quiero decir, mejor dicho, o sea, espera, no perdón, no digo, no quiero decir, \
            no mejor dicho, no espera
            """)
        words.weak = [["perdón"], ["digo"], ["o", "sea"], ["espera"]]
        words.retracting = ["perdón", "digo", "decir", "dicho", "espera"]
        words.contrasting = ["sino"]
        return words
    }()
}

/// The lists of Spanish.
private enum Spanish {
    static let pronouns = "yo tú él ella nosotros ellos ellas usted ustedes se lo la"
    static let lists: [(WordKinds, String)] = [
        (.hesitation, "eh ehh em emm mmm ehm"),
        (
            .function,
            pronouns
                + " el los las un una unos unas mi tu su nuestro de del a al en con por para y o que si es son está están"
        ),
        (.pronoun, pronouns), (.subject, pronouns + " el los las un una mi su"),
        (.meantTwice, "muy no sí ya que se nos los bien casi luego hola gracias"),
        (.expectsMore, "el la los las un una de del a al en con por para y o que si mi tu su es son está"),
        (.conjunction, "y o pero porque aunque si que cuando"),
        (.opener, "y pero pues bueno hola sí no entonces"),
        (.question, "qué quién quiénes cuándo dónde cómo cuál cuáles cuánto cuánta cuántos cuántas"),
        (.determining, "qué cuál cuánto cuánta cuántos cuántas"),
        (.preposition, "en a de con por para sin sobre desde hasta entre hacia"),
        (.number, small.keys.joined(separator: " ")),
        (.abbreviation, "sr sra srta dr dra ud uds etc pág núm"),
    ]

    /// What announces a correction, and the commonest words of grammar.
    static let modelWords: [String: String] = [
        "perdón": "sorry", "digo": "rather", "quiero": "i", "decir": "mean", "mejor": "or", "dicho": "rather",
        "espera": "wait", "o": "or", "y": "and", "el": "the", "la": "the", "los": "the", "las": "the",
        "un": "a", "una": "a", "en": "in", "a": "to", "al": "to", "de": "of", "del": "of", "con": "with",
        "para": "for", "por": "by",
    ]

    static let numbers: NumberWords = {
        var words = NumberWords()
        words.small = small
        words.tensAnd = "y"
        words.scales = ["mil": 1, "millón": 2, "millones": 2, "billón": 4, "billones": 4]
        words.bareScales = ["mil"]
        words.idioms = [["mil", "gracias"]: true]
        words.minus = ["menos"]
        words.plus = "más"
        words.point = "coma"
        words.decimalMark = ","
        words.dates.months = NumberWords.list(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
        words.dates.of = ["de", "del"]
        words.dates.joint = "de"
        words.measures = measures
        words.addresses.at = "arroba"
        words.addresses.dot = "punto"
        words.addresses.slash = ["barra"]
        words.addresses.signs = ["guion": "-", "guión": "-"]
        words.addresses.domains = ["com", "es", "org", "net", "mx", "ar", "cl"]
        words.addresses.notNames = NumberWords.list("yo tú él es son el la")
        words.notCodes = ["a", "e", "o", "u", "y"]
        words.versionWords = ["versión"]
        return words
    }()

    private static let small: [String: Int] = {
        var table = NumberWords.numbered(
            """
            cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete \
            dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete \
            veintiocho veintinueve
            """, from: 0)
        table = table.adding(
            NumberWords.numbered(
                "treinta cuarenta cincuenta sesenta setenta ochenta noventa", from: 30, by: 10))
        table = table.adding(
            NumberWords.numbered(
                "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
                from: 100, by: 100))
        // "Trescientas cajas".
        for (word, value) in table where word.hasSuffix("ientos") {
            table[word.dropLast(2) + "as"] = value
        }
        table["quinientas"] = 500
        table["cien"] = 100
        table["veintiún"] = 21
        return table
    }()

    private static let measures: MeasureWords = {
        var words = MeasureWords()
        for (name, symbol) in [
            ("por ciento", " %"), ("metros", " m"), ("kilómetros", " km"), ("centímetros", " cm"),
            ("milímetros", " mm"),
            ("gramos", " g"), ("kilogramos", " kg"), ("kilos", " kg"), ("miligramos", " mg"),
            ("litros", " l"),
            ("grados celsius", " °C"), ("metros cuadrados", " m²"), ("kilómetros por hora", " km/h"),
        ] {
            words.units[name.split(separator: " ").map(String.init)] = symbol
        }
        words.currencies = [
            ["euros"]: .init(symbol: "€", isPlural: true, isBehind: true),
            ["euro"]: .init(symbol: "€", isPlural: false, isBehind: true),
            ["dólares"]: .init(symbol: "$", isPlural: true, isBehind: true),
        ]
        words.cents = ["céntimos", "céntimo", "centavos"]
        words.centJoints = ["con", "y"]
        return words
    }()

    static let marks: MarkWords = {
        var words = MarkWords()
        words.marks = MarkWords.table([
            ("coma", .trailing(",")), ("punto", .trailing(".")), ("punto y coma", .trailing(";")),
            ("dos puntos", .trailing(":")), ("abrir interrogación", .leading("¿")),
            ("cerrar interrogación", .trailing("?")), ("abrir exclamación", .leading("¡")),
            ("cerrar exclamación", .trailing("!")), ("abrir comillas", .leading("«")),
            ("cerrar comillas", .trailing("»")), ("nueva línea", .line), ("punto y aparte", .paragraph),
            ("nuevo párrafo", .paragraph),
        ])
        words.closings = ["saludos", "saludo", "cordialmente", "atentamente", "gracias"]
        words.escapes = ["literal"]
        words.determiners = NumberWords.list("el la los las un una en este ese cada ningún a al de del mi su")
        words.ambiguous = [
            ["coma"]: .init(notBefore: Set(small.keys)),
            ["punto"]: .init(notBefore: NumberWords.list("de com es org net mx")),
            ["dos", "puntos"]: .init(notBefore: ["de"]),
        ]
        words.series = [
            NumberWords.list("lunes martes miércoles jueves viernes sábado domingo"),
            NumberWords.list(
                """
                enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
                """),
            NumberWords.list("ana pedro maría juan luis carlos elena lucía pablo sofía miguel"),
            NumberWords.list("madrid barcelona sevilla valencia méxico bogotá lima londres parís roma"),
            NumberWords.list("hoy mañana ayer"), ["izquierda", "derecha"], ["izquierdo", "derecho"],
            NumberWords.list("rojo azul verde amarillo negro blanco"),
        ]
        words.scratches = [["borra", "eso"]]
        words.enterCommands = [["pulsa", "intro"]]
        for word in "españa méxico argentina chile colombia perú madrid barcelona sevilla".split(
            separator: " ")
        {
            words.properWords[String(word)] = word.prefix(1).uppercased() + word.dropFirst()
        }
        words.letterWords = ["a", "e", "o", "u", "y"]
        words.commaBefore = NumberWords.list("pero aunque porque sino")
        return words
    }()
}
