import DictationText
import Testing

@Suite("Other languages are data")
struct LanguageTests {
    private static let germanRows: [Row] = [
        Row("äh wir treffen uns am am montag", "Wir treffen uns am Montag."),
        Row("es kostet zweihundertfünfundzwanzig euro", "Es kostet 225 €."),
        Row("am fünften mai zweitausendzwölf", "Am 5. Mai 2012."),
        Row("achtzehn komma sechs prozent", "18,6 %."),
        Row("ich habe zweiundzwanzig euro und fünfzig cent bezahlt", "Ich habe 22,50 € bezahlt."),
        Row("um sieben uhr dreißig", "Um 7:30 Uhr."),
        Row("er hat drei katzen und fünfzehn hunde", "Er hat drei katzen und 15 hunde."),
        Row("liebe anna komma neue zeile danke für den brief punkt", "Liebe anna,\nDanke für den brief."),
        Row("kommst du morgen fragezeichen", "Kommst du morgen?"),
        Row("wann kommt der zug", "Wann kommt der zug."),
        Row("an muster at beispiel punkt de", "An muster@beispiel.de."),
        Row("dreitausendvierhundert meter", "3400 m."),
        Row("kannst du das lesen", "Kannst du das lesen?"),
        Row("wo bist du", "Wo bist du?"),
        Row("im jahr neunzehnhundertneunundneunzig", "Im jahr 1999."),
        Row("tausend dank", "Tausend dank."),
        Row("an max punkt muster at web punkt de", "An max.muster@web.de."),
        Row("mit freundlichen grüßen neue zeile anna", "Mit freundlichen grüßen\nAnna"),
        Row("meine nummer ist eins zwei zwei drei", "Meine nummer ist 1223."),
        Row("wir treffen uns am dienstag nein mittwoch", "Wir treffen uns am Mittwoch."),
        Row("wir treffen uns am dienstag nein am mittwoch", "Wir treffen uns am Mittwoch."),
        Row("leg das buch auf den tisch ich meine auf den stuhl", "Leg das buch auf den stuhl."),
        Row("schick es an anna nein nicht an anna sondern an max", "Schick es an max."),
        Row("nein am mittwoch kann ich nicht", "Nein am Mittwoch kann ich nicht."),
        Row("er hat am dienstag nein gesagt", "Er hat am Dienstag nein gesagt."),
        Row("ich meine das ernst", "Ich meine das ernst."),
    ]

    private static let spanishRows: [Row] = [
        Row("eh vamos a a la playa", "Vamos a la playa."),
        Row("cuesta doscientos cincuenta y cinco euros", "Cuesta 255 €."),
        Row("el cinco de mayo de dos mil doce", "El 5 de mayo de 2012."),
        Row("dieciocho coma seis por ciento", "18,6 %."),
        Row("hay mil quinientos libros", "Hay 1500 libros."),
        Row("compré dos mil trescientas cajas", "Compré 2300 cajas."),
        Row("cuesta veinticinco euros con cincuenta céntimos", "Cuesta 25,50 €."),
        Row("tengo tres gatos y quince perros", "Tengo tres gatos y 15 perros."),
        Row("hola ana coma nueva línea gracias punto", "Hola ana,\nGracias."),
        Row("abrir interrogación vienes mañana cerrar interrogación", "¿Vienes mañana?"),
        Row("mil gracias", "Mil gracias."),
        Row("saludos nueva línea ana", "Saludos\nAna"),
        Row("escribe a ana arroba ejemplo punto es", "Escribe a ana@ejemplo.es."),
        Row("mi número es uno dos dos tres", "Mi número es 1223."),
        Row("nos vemos el martes perdón el miércoles", "Nos vemos el miércoles."),
        Row("nos vemos el martes no espera el miércoles", "Nos vemos el miércoles."),
        Row("pon el libro en la mesa mejor dicho en la silla", "Pon el libro en la silla."),
        // "No" is "not" as well.
        Row("nos vemos el martes no el miércoles", "Nos vemos el martes no el miércoles."),
        Row("perdón por llegar tarde el martes", "Perdón por llegar tarde el martes."),
        Row("le digo a ana que venga", "Le digo a ana que venga."),
    ]

    @Test("German", arguments: germanRows)
    func german(_ row: Row) {
        #expect(TextCleaner(language: .matching("de-AT")).clean(row.raw).text == row.clean)
    }

    @Test("Spanish", arguments: spanishRows)
    func spanish(_ row: Row) {
        #expect(TextCleaner(language: .matching("es_MX")).clean(row.raw).text == row.clean)
    }

    @Test("a language without tables loses no word")
    func unknown() {
        let cleaner = TextCleaner(language: .matching("fi-FI"))
        #expect(
            cleaner.clean("um the the ei ei tämä on two hundred meters").text
                == "Um the the ei ei tämä on two hundred meters.")
    }

    @Test("a locale finds its language")
    func matching() {
        #expect(Language.matching("en-GB").identifier == "en" && Language.matching("DE").identifier == "de")
        #expect(Language.matching("pt-BR").identifier == "pt")
    }
}
