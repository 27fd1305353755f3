import DictationText
import Testing

@Suite("Lists of numbers")
struct NumberListTests {
    private static let englishRows: [Row] = [
        // No times of the day.
        Row("gates ten twelve and fourteen", "Gates ten twelve and fourteen."),
        Row("rooms ten eleven and fourteen are free", "Rooms ten eleven and fourteen are free."),
        Row("ten twelve and fifteen milligrams", "Ten twelve and fifteen milligrams."),
        Row("at five ten and fifteen minutes", "At five ten and fifteen minutes."),
        Row("lines ten twelve or fifteen", "Lines ten twelve or fifteen."),
        Row("rooms ten twelve fourteen and sixteen", "Rooms ten twelve fourteen and sixteen."),
        Row(
            "doses of ten twenty forty and eighty milligrams",
            "Doses of ten twenty forty and eighty milligrams."),
        Row("it's ten fifteen and twenty people are here", "It's ten fifteen and twenty people are here."),
        Row("one twenty and thirty people", "One twenty and thirty people."),
        Row(
            "one five milligram pill and two ten milligram pills", "One 5 mg pill and two 10 mg pills."),
        Row("at ten fifty milligrams were given", "At ten 50 mg were given."),
        Row("at five ten people came", "At five ten people came."),
        Row("at six forty two people left", "At six forty two people left."),
        Row("room one twenty and one thirty", "Room 120 and one thirty."),
        Row("bake at three fifty degrees", "Bake at 350 degrees."),
        // No years, and no numbers of pages.
        Row("page ten fifteen and thirty", "Page ten fifteen and thirty."),
        Row("we have thirteen fifteen or twenty", "We have thirteen fifteen or twenty."),
        Row("ten twenty thirty percent off", "10, 20, 30% off."),
        Row("twenty thirty forty people", "20, 30, 40 people."),
        Row("five ten fifteen minutes", "Five ten fifteen minutes."),
        Row("ten twelve fourteen", "Ten twelve fourteen."),
        Row("we ordered fifteen twenty and twenty five boxes", "We ordered 15, 20 and 25 boxes."),
        // No row of digits.
        Row(
            "rooms one oh one one oh two and one oh three", "Rooms one oh one one oh two and one oh three."),
        Row(
            "bays one twelve one fourteen and one sixteen", "Bays one twelve one fourteen and one sixteen."),
        Row(
            "the blood sugars were one twenty one thirty and one forty",
            "The blood sugars were one twenty one thirty and one forty."),
        // A day that no month has.
        Row("on june thirty five patients were seen", "On June thirty five patients were seen."),
        Row("on april thirty two shops closed", "On April thirty two shops closed."),
        // Similar texts.
        Row("at ten fifteen and eleven", "At 10:15 and eleven."),
        Row("meet at ten thirty and bring two friends", "Meet at 10:30 and bring two friends."),
        Row("let's meet ten thirty and eleven", "Let's meet 10:30 and eleven."),
        Row("at one twenty and one thirty", "At 1:20 and 1:30."),
        Row("the train leaves at six twelve", "The train leaves at 6:12."),
        Row("at two thirty gray clouds came", "At 2:30 gray clouds came."),
        Row("it was nineteen ninety and ninety one", "It was 1990 and 91."),
        Row("in nineteen eighty and eighty five we moved", "In 1980 and 85 we moved."),
        Row("in fifteen twenty and thirty", "In 1520 and 30."),
        Row("route ten twenty", "Route 1020."),
        Row("room two thirty and forty", "Room 230 and 40."),
        Row("sugar one ten and seventy", "Sugar 110 and 70."),
        Row("june twenty five", "June 25."),
        Row("extension two oh one", "Extension 201."),
    ]

    private static let germanRows: [Row] = [
        Row("zehn zwanzig dreißig prozent rabatt", "10, 20, 30 % rabatt."),
        Row("zehn zwölf und vierzehn milligramm", "Zehn zwölf und vierzehn milligramm."),
        Row("seite zehn fünfzehn und dreißig", "Seite zehn fünfzehn und dreißig."),
        Row("zehn zwanzig oder dreißig leute", "10, 20 oder 30 leute."),
        Row("seite zwölf", "Seite 12."),
    ]

    private static let spanishRows: [Row] = [
        Row("diez veinte treinta por ciento de descuento", "10, 20, 30 % de descuento."),
        Row("páginas diez doce y catorce", "Páginas diez doce y catorce."),
        Row("diez veinte o treinta personas", "10, 20 o 30 personas."),
        Row("a las diez quince", "A las 10:15."),
        Row("a las diez y veinte", "A las 10:20."),
    ]

    @Test("English", arguments: englishRows) func english(_ row: Row) { row.check(in: .english) }
    @Test("German", arguments: germanRows) func german(_ row: Row) { row.check(in: .german) }
    @Test("Spanish", arguments: spanishRows) func spanish(_ row: Row) { row.check(in: .spanish) }
}
