import DictationText
import Testing

@Suite("Numbers next to other words that look like a part of them")
struct NeighboringNumberTests {
    private static let englishRows: [Row] = [
        // Two numbers, and not one.
        Row("twenty thirty people came", "20, 30 people came."),
        Row("in fifteen twenty minutes", "In 15, 20 minutes."),
        Row("wait five ten minutes", "Wait five ten minutes."),
        Row("twenty thirty is the target year", "2030 is the target year."),
        Row("in twenty thirty people will live there", "In 2030 people will live there."),
        Row("thirteen fourteen fifteen", "13 14 15."),
        Row("q three twenty twenty four results", "Q3 2024 results."),
        Row("h one twenty twenty five", "H1 2025."),
        // A minus of its own.
        Row("plus or minus three percent", "Plus or minus 3%."),
        Row("it is minus three degrees celsius", "It is -3 °C."),
        // Both numbers have the unit.
        Row("a table of two by three meters", "A table of 2 by 3 m."),
        Row("two meters ten", "2.10 m."),
        Row("he is two meters ten tall", "He is 2.10 m tall."),
        Row("we ran ten meters fifteen times", "We ran 10 m 15 times."),
        Row("use a nine by thirteen pan", "Use a 9 by 13 pan."),
        Row("she is five foot eleven", "She is five foot eleven."),
        Row("call five five five twelve thirty four", "Call 555 12 34."),
        Row("at oh nine hundred hours", "At 0900 hours."),
        Row("preheat the oven to three fifty", "Preheat the oven to 350."),
        Row("see section three dot two", "See section 3.2."),
        Row("five dollars and a half", "$5.50."),
        // Vertebrae and cells are one code each.
        Row("pain at l four l five", "Pain at L4 L5."),
        Row("c five c six and l three l four l five s one", "C5 C6 and L3 L4 L5 S1."),
        Row("cells b two b three", "Cells B2 B3."),
        Row("license k four k seven m", "License k4k7m."),
        Row("the serial is five w k r a three one", "The serial is 5wkra31."),
        // Names.
        Row("the forty niners won", "The forty niners won."),
        Row("she is thirty something", "She is thirty something."),
    ]

    private static let germanRows: [Row] = [
        Row("am einundzwanzigsten kommt er", "Am 21. kommt er."),
        Row("der zwanzigste war schön", "Der 20. war schön."),
        Row("zum fünfzehnten ist die miete fällig", "Zum 15. ist die miete fällig."),
        Row("kommst du am dritten mai zu mir", "Kommst du am 3. Mai zu mir?"),
        Row("am vierten und fünften mai", "Am 4. und 5. Mai."),
        Row("vom ersten bis zum dritten mai", "Vom 1. bis zum 3. Mai."),
        Row("am dritten zehnten neunzehnhundertneunzig", "Am 3.10.1990."),
        Row("am vierundzwanzigsten zwölften um acht uhr", "Am 24.12. um 8:00 Uhr."),
        Row("auf den ersten zweiten plätzen", "Auf den ersten zweiten plätzen."),
        Row("milch komma drei eier und brot", "Milch, drei eier und brot."),
        Row("ein komma fünf millionen menschen", "1,5 millionen menschen."),
        Row("minus null komma fünf grad", "-0,5 grad."),
        Row("ein paar hundert menschen", "Ein paar hundert menschen."),
        Row("mehrere tausend euro", "Mehrere tausend Euro."),
        Row("ein tausend euro", "1000 €."),
        Row("zwei tausend vier und zwanzig", "2024."),
        Row("zwischen vier und zwanzig leute", "Zwischen vier und 20 leute."),
        Row("um siebzehn uhr null fünf", "Um 17:05 Uhr."),
        Row("er ist eins achtzig groß", "Er ist eins achtzig groß."),
        Row("er ist ein meter achtzig groß", "Er ist 1,80 m groß."),
        Row("das macht vier neunundneunzig", "Das macht vier neunundneunzig."),
        Row("zwanzig dreißig leute", "20, 30 leute."),
        Row("drei euro zwanzig pro kilo", "3,20 € pro kilo."),
        Row("drei mal vier meter", "3 mal 4 m."),
        Row("plus minus drei prozent", "Plus minus 3 %."),
        Row("um punkt acht geht es los", "Um punkt acht geht es los."),
        Row("Schreibe bitte Punkt statt Komma.", "Schreibe bitte Punkt statt Komma."),
        Row("für drei euro fünfzig verkauft", "Für 3,50 € verkauft."),
        Row("für 3 euro zwei brote", "Für 3 Euro zwei brote."),
        Row("um zehn vor zwölf uhr", "Um zehn vor zwölf Uhr."),
        Row("um viertel nach acht uhr", "Um viertel nach acht Uhr."),
        Row("um halb acht uhr", "Um halb acht Uhr."),
        Row("kurz vor zwölf uhr", "Kurz vor 12:00 Uhr."),
        Row("dreizehn vierzehn fünfzehn", "13 14 15."),
        Row("ein bis zwei euro", "1 bis 2 €."),
        Row("ein oder zwei liter milch", "1 oder 2 l milch."),
        Row("ein bis zwei leute", "Ein bis zwei leute."),
        Row("teste das mit python drei punkt elf", "Teste das mit python 3.11."),
        Row("null sechs neun einundzwanzig dreiundvierzig", "069 21 43."),
        Row("schau in slash etc slash hosts", "Schau in /etc/hosts."),
        Row("eine durch komma getrennte liste", "Eine durch komma getrennte liste."),
    ]

    private static let spanishRows: [Row] = [
        Row("al menos veinte personas", "Al menos 20 personas."),
        Row("por lo menos dos veces", "Por lo menos dos veces."),
        Row("más o menos veinte", "Más o menos 20."),
        Row("estamos a menos cinco grados", "Estamos a -5 grados."),
        Row("leche coma tres huevos", "Leche, tres huevos."),
        Row("veinte treinta personas", "20, 30 personas."),
        Row("diez quince minutos", "Diez quince minutos."),
        Row("dos litros y medio de leche", "2,5 l de leche."),
        Row("dos euros y medio", "2,50 €."),
        Row("mide un metro ochenta", "Mide 1,80 m."),
        Row("mide uno ochenta", "Mide uno ochenta."),
        Row("del uno al quince de mayo", "Del 1 al 15 de mayo."),
        Row("las mil y una noches", "Las mil y una noches."),
        Row("no voy y punto", "No voy y punto."),
        Row("Cuesta 2 mil millones.", "Cuesta 2 mil millones."),
        Row("sale a las dieciséis y doce", "Sale a las 16:12."),
        Row("llámame al seis tres cuatro cincuenta y cinco sesenta", "Llámame al 634 55 60."),
        Row("abre config punto json en la línea cuarenta", "Abre config.json en la línea 40."),
        Row("un número en coma flotante", "Un número en coma flotante."),
        Row("una l con punto medio", "Una l con punto medio."),
        Row("los ejes x y z", "Los ejes x y z."),
    ]

    @Test("English", arguments: englishRows) func english(_ row: Row) { row.check(in: .english) }
    @Test("German", arguments: germanRows) func german(_ row: Row) { row.check(in: .german) }
    @Test("Spanish", arguments: spanishRows) func spanish(_ row: Row) { row.check(in: .spanish) }
}
