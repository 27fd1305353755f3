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

    /// The names of marks as words of their sentence, and as marks.
    private static let germanMarks: [Row] = [
        Row("Das ist der springende Punkt.", "Das ist der springende Punkt."),
        Row("das ist ein guter punkt", "Das ist ein guter punkt."),
        Row(
            "das ist ein ganz wichtiger punkt den wir klären",
            "Das ist ein ganz wichtiger punkt den wir klären."),
        Row("Das war ein selten erwähnter Punkt.", "Das war ein selten erwähnter Punkt."),
        Row("an diesem punkt müssen wir aufhören", "An diesem punkt müssen wir aufhören."),
        Row("mein punkt ist ein anderer", "Mein punkt ist ein anderer."),
        Row("kommen wir zum nächsten punkt", "Kommen wir zum nächsten punkt."),
        Row("kommen wir zu punkt drei", "Kommen wir zu punkt drei."),
        Row("Das steht unter Punkt 3 der Liste.", "Das steht unter Punkt 3 der Liste."),
        Row("Das war dumm. Vergiss das.", "Das war dumm. Vergiss das."),
        Row("Wir treffen uns Punkt acht.", "Wir treffen uns Punkt acht."),
        Row("er kommt punkt acht uhr", "Er kommt punkt 8:00 Uhr."),
        Row("er redet ohne punkt und komma", "Er redet ohne punkt und komma."),
        Row("das doppelte komma ist falsch", "Das doppelte komma ist falsch."),
        Row("das schreibt man mit bindestrich", "Das schreibt man mit bindestrich."),
        Row("das e bindestrich book", "Das e-book."),
        Row("das war alles punkt drei leute kommen", "Das war alles. Drei leute kommen."),
        Row("wir kommen um acht punkt bis dann", "Wir kommen um acht. Bis dann."),
        Row("ich finde das gut punkt", "Ich finde das gut."),
        Row("das kann sein punkt", "Das kann sein."),
        Row("ich komme mit Punkt Danke", "Ich komme mit. Danke."),
        Row("er geht in die Schule Punkt Dann kommt er heim", "Er geht in die Schule. Dann kommt er heim."),
    ]

    private static let germanNumbers: [Row] = [
        Row("eine million zweihunderttausend euro", "1200000 €."),
        Row("eine million menschen", "Eine million menschen."),
        Row("zwei hundert fünfzig euro", "250 €."),
        Row("das macht drei euro fünfzig bitte", "Das macht 3,50 € bitte."),
        Row("ein euro fünfzig", "1,50 €."),
        Row("er hat einen euro", "Er hat einen Euro."),
        Row("drei euro und zwanzig leute", "3 € und 20 leute."),
        Row("heute ist der vierte vierte", "Heute ist der vierte vierte."),
        Row("gehe auf www punkt beispiel punkt de", "Gehe auf www.beispiel.de."),
        Row("anna unterstrich müller at web punkt de", "anna_müller@web.de."),
        Row("öffne die datei brief punkt pdf", "Öffne die datei brief.pdf."),
        Row("gehe auf https doppelpunkt slash slash beispiel punkt de", "Gehe auf https://beispiel.de."),
    ]

    private static let spanishMarks: [Row] = [
        Row("Pasemos al siguiente punto.", "Pasemos al siguiente punto."),
        Row("este punto es importante", "Este punto es importante."),
        Row("mi punto es el siguiente", "Mi punto es el siguiente."),
        Row("llegamos a un punto muerto", "Llegamos a un punto muerto."),
        Row("el primer punto del contrato", "El primer punto del contrato."),
        Row("el punto y coma es raro", "El punto y coma es raro."),
        Row("vamos punto por punto", "Vamos punto por punto."),
        Row("son dos puntos importantes", "Son dos puntos importantes."),
        Row("dijo dos puntos ven", "Dijo: ven."),
        Row("hola punto y aparte adiós", "Hola.\n\nAdiós."),
        Row("punto y aparte", "\n\n"),
        Row("versión dos punto cinco", "Versión 2.5."),
        Row("vienen ocho punto nos vemos", "Vienen ocho. Nos vemos."),
        Row("hola punto y seguido adiós punto final", "Hola. Adiós."),
        Row("vienes mañana signo de interrogación", "Vienes mañana?"),
        Row("escribe a juan punto garcía arroba ejemplo punto com", "Escribe a juan.garcia@ejemplo.com."),
        Row("es ana guion bajo lópez arroba ejemplo punto es", "Es ana_lopez@ejemplo.es."),
        Row("la web es www punto ejemplo punto es", "La web es www.ejemplo.es."),
        Row("abre el archivo carta punto pdf", "Abre el archivo carta.pdf."),
        Row("la versión es tres punto uno punto cuatro", "La versión es 3.1.4."),
    ]

    private static let spanishNumbers: [Row] = [
        Row("vale mil quinientos millones de euros", "Vale 1500 millones de euros."),
        Row("dos mil quinientos millones", "2500 millones."),
        Row("dos mil millones", "2000 millones."),
        Row("un millón quinientos mil", "1500000."),
        Row("dos millones quinientos mil euros", "2500000 €."),
        Row("un millón de personas", "Un millón de personas."),
        Row("tiene treinta y un años", "Tiene 31 años."),
        Row("le regaló cincuenta y una rosas", "Le regaló 51 rosas."),
        Row("cuarenta y un mil euros", "41000 €."),
        Row("doscientos un euros", "201 €."),
        Row("mil una noches", "1001 noches."),
        Row("gasté doscientos un día", "Gasté 200 un día."),
        Row("veintiuna personas", "21 personas."),
        Row("sale a las dieciocho cuarenta y cinco", "Sale a las 18:45."),
        Row("a las ocho y diez", "A las ocho y diez."),
        Row("a las diez y veinte", "A las 10:20."),
        Row("son las once menos veinticinco", "Son las 10:35."),
        Row("cuesta tres cincuenta", "Cuesta tres cincuenta."),
        Row("cuesta diecinueve euros con noventa y nueve", "Cuesta 19,99 €."),
        Row("un euro cincuenta", "1,50 €."),
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

    @Test("German", arguments: germanRows + germanMarks + germanNumbers)
    func german(_ row: Row) {
        #expect(TextCleaner(language: .matching("de-AT")).clean(row.raw).text == row.clean)
    }

    @Test("Spanish", arguments: spanishRows + spanishMarks + spanishNumbers)
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

    @Test(
        "a language without tables keeps its spaces, and what is no end of a sentence",
        arguments: [
            "Bonjour, comment allez-vous ? Très bien !",
            "Elle a demandé : « Tu viens ? » et elle est partie.",
            "Voir p. ex. la page 12, etc. et la suite.",
        ])
    func french(_ text: String) {
        #expect(TextCleaner(language: .matching("fr")).clean(text).text == text)
    }

    @Test("a locale finds its language")
    func matching() {
        #expect(Language.matching("en-GB").identifier == "en" && Language.matching("DE").identifier == "de")
        #expect(Language.matching("pt-BR").identifier == "pt")
    }
}
