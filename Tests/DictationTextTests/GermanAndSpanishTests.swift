import DictationText
import Testing

@Suite("German and Spanish texts that look like slips, and are none")
struct GermanAndSpanishTests {
    private static let germanRows: [Row] = [
        // A clause ends with its verb, and the next one begins with its own.
        Row("was passiert ist ist passiert", "Was passiert ist ist passiert."),
        Row("alles was da war war kaputt", "Alles was da war war kaputt."),
        Row("wenn du kommst kommst du zu spät", "Wenn du kommst kommst du zu spät."),
        Row("wie das geht geht dich nichts an", "Wie das geht geht dich nichts an."),
        Row("die leute die hier sind sind nett", "Die leute die hier sind sind nett."),
        Row("Was er war, war nicht klar.", "Was er war, war nicht klar."),
        Row("wer das glaubt glaubt alles", "Wer das glaubt glaubt alles."),
        Row("spalten die nicht neu sind sind gesperrt", "Spalten die nicht neu sind sind gesperrt."),
        Row("dass er kommt kommt mir komisch vor", "Dass er kommt kommt mir komisch vor."),
        Row("er hat hat gesagt dass er kommt", "Er hat gesagt dass er kommt."),
        Row("hat hat er das gesagt", "Hat er das gesagt?"),
        Row("wann hat hat er das gesagt", "Wann hat er das gesagt?"),
        Row("er ist nett und er hat hat geld", "Er ist nett und er hat geld."),
        // Emphasis.
        Row("das ist viel viel besser", "Das ist viel viel besser."),
        Row("ich habe ihr ihr buch zurückgegeben", "Ich habe ihr ihr buch zurückgegeben."),
        // A word said again after a hesitation.
        Row("Das, äh, das ist nicht richtig.", "Das ist nicht richtig."),
        Row("ich komme mit der äh der bahn", "Ich komme mit der bahn."),
        Row("ich weiß dass das äh das problem ist", "Ich weiß dass das das problem ist."),
        Row(
            "Ich wollte fragen, ob du, äh, morgen kommst.",
            "Ich wollte fragen, ob du morgen kommst."),
        // Periods that end no sentence.
        Row(
            "Das heißt, z. B. am Montag, d. h. auch nachts.",
            "Das heißt, z. B. am Montag, d. h. auch nachts."),
        Row("Am 5. kommt er.", "Am 5. kommt er."),
        Row("Wir kommen am 5., 6. und 7. Mai.", "Wir kommen am 5., 6. und 7. Mai."),
        Row("Der Termin ist am 5., nein, am 6. Juni.", "Der Termin ist am 6. Juni."),
        Row("Mo. bis Fr. von 9 bis 17 Uhr", "Mo. bis Fr. von 9 bis 17 Uhr."),
        Row("hallo. wie geht es", "Hallo. Wie geht es."),
        Row("Ich gehe. Ähm, dann komme ich.", "Ich gehe. Dann komme ich."),
        Row("es sind 5 punkt wir gehen", "Es sind 5. Wir gehen."),
        Row("das ging in null komma nichts", "Das ging in null komma nichts."),
        // What follows "nein" may be meant in place of what was denied.
        Row("Nicht nach links, nein, nach rechts.", "Nicht nach links, nein, nach rechts."),
        Row("das ist nicht rot nein blau", "Das ist nicht rot nein blau."),
        Row("Nicht um drei, Entschuldigung, um vier.", "Nicht um vier."),
        // Words that are no edit terms there.
        Row("ich habe vielmehr gehofft dass du kommst", "Ich habe vielmehr gehofft dass du kommst."),
        Row("Schreib mir, besser gesagt, ruf mich an.", "Schreib mir, besser gesagt, ruf mich an."),
        Row("willst du ne cola oder ne fanta", "Willst du ne cola oder ne fanta?"),
        Row("hast du zeit nein leider nicht", "Hast du zeit nein leider nicht?"),
        Row("magst du kaffee nein lieber tee", "Magst du kaffee nein lieber tee?"),
        // Said twice to say that it goes on.
        Row("es geht auf und ab auf und ab", "Es geht auf und ab auf und ab."),
        Row("hin und her hin und her", "Hin und her hin und her."),
        // Ranges and numbers.
        Row("zwei bis vier milligramm", "2 bis 4 mg."),
        Row("drei oder vier euro", "3 oder 4 €."),
        Row("zwischen fünf und zehn prozent", "Zwischen 5 und 10 %."),
        Row("von neun bis siebzehn uhr", "Von 9:00 bis 17:00 Uhr."),
        Row("zwischen zwei und drei uhr", "Zwischen 2:00 und 3:00 Uhr."),
        Row("ein bis zwei tabletten", "Ein bis zwei tabletten."),
        Row("eintausendfünfhundert euro", "1500 €."),
        Row("öffne die datei main punkt swift", "Öffne die datei main.swift."),
        // Questions to the listener.
        Row("kommst du mit oder bleibst du hier", "Kommst du mit oder bleibst du hier?"),
        Row("wann kommst du nach hause", "Wann kommst du nach hause?"),
        Row("könntest du mich anrufen", "Könntest du mich anrufen?"),
        Row("selbst du hast das gesagt", "Selbst du hast das gesagt."),
        Row("kommst du nicht dann gehe ich", "Kommst du nicht dann gehe ich."),
    ]

    private static let spanishRows: [Row] = [
        Row("lo que es es lo que hay", "Lo que es es lo que hay."),
        Row("es es bueno", "Es bueno."),
        Row("hace mucho mucho tiempo", "Hace mucho mucho tiempo."),
        Row("Vivo en la Avda. de América 5.", "Vivo en la Avda. de América 5."),
        Row("A las 5 p. m. en casa.", "A las 5 p. m. en casa."),
        Row("p. ej. mañana", "P. ej. mañana."),
        // "Coma" is a verb as well.
        Row("dile que coma", "Dile que coma."),
        Row("no coma tanto", "No coma tanto."),
        Row("no coma gracias", "No, gracias."),
        // Names of marks and of layout that are nouns.
        Row("una idea es nueva línea de productos", "Una idea es nueva línea de productos."),
        Row("hay que poner punto final a esto", "Hay que poner punto final a esto."),
        Row("ponga punto final", "Ponga punto final."),
        Row("me voy mañana punto final", "Me voy mañana."),
        Row("es mejor que no coma", "Es mejor que no coma."),
        Row("quiero que el niño coma bien", "Quiero que el niño coma bien."),
        Row("cuando coma le aviso", "Cuando coma le aviso."),
        Row("dijo que coma si llueve coma no viene", "Dijo que, si llueve, no viene."),
        Row("creo que no coma pero ya veremos", "Creo que no, pero ya veremos."),
        Row("es que coma no lo sé", "Es que, no lo sé."),
        Row("me dijo que sí coma que venía", "Me dijo que sí, que venía."),
        Row(
            "el informe abre paréntesis adjunto cierra paréntesis es largo",
            "El informe (adjunto) es largo."),
        Row("espera puntos suspensivos no sé", "Espera… no sé."),
        Row("faltan unos puntos suspensivos", "Faltan unos puntos suspensivos."),
        Row("Esto, eh, no está bien.", "Esto no está bien."),
        Row("lo que dice dice mucho", "Lo que dice dice mucho."),
        Row("no vino nadie nadie", "No vino nadie nadie."),
        // "O sea" explains, and "espera" and "digo" are verbs.
        Row("llegó el lunes o sea el día quince", "Llegó el lunes o sea el día 15."),
        Row("cuando llegues a casa espera a tu hermano", "Cuando llegues a casa espera a tu hermano."),
        Row("Dáselo a Juan, espera, a Pedro.", "Dáselo a Pedro."),
        Row("el lunes te digo el martes", "El lunes te digo el martes."),
        Row("el lunes digo el martes", "El martes."),
        Row("te llamo mañana perdón pasado mañana", "Te llamo pasado mañana."),
        Row("dos a cuatro miligramos", "2 a 4 mg."),
    ]

    @Test("German", arguments: germanRows)
    func german(_ row: Row) {
        #expect(TextCleaner(language: .german).clean(row.raw).text == row.clean)
    }

    @Test("Spanish", arguments: spanishRows)
    func spanish(_ row: Row) {
        #expect(TextCleaner(language: .spanish).clean(row.raw).text == row.clean)
    }
}
