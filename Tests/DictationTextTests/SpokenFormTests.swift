import DictationText
import Testing

@Suite("Numbers, dates, addresses and the like")
struct SpokenFormTests {
    private let cleaner = TextCleaner(
        options: .init(rules: Set(CleaningRule.allCases).subtracting([.capitals, .finalMark, .properWords])))

    private static let written: [Row] = [
        Row("it has two hundred and five pages", "it has 205 pages"),
        Row("minus five", "-5"),
        Row("nineteen people in room two thirty", "19 people in room 230"),
        Row("highway one oh one", "highway 101"),
        Row("a total of two million three", "a total of 2000003"),
        Row("about four hundred million", "about 400 million"),
        Row("one point five billion", "1.5 billion"),
        Row("eight point oh", "8.0"),
        Row("the twenty first century", "the 21st century"),
        Row("two thirds of it", "2/3 of it"),
        Row("two and a half hours", "2 1/2 hours"),
        Row("it costs five dollars and ten cents", "it costs $5.10"),
        Row("a hundred dollars", "$100"),
        Row("two million euros", "€2 million"),
        Row("fifty cents", "$0.50"),
        Row("eighteen point six percent", "18.6%"),
        Row("two hundred kilometers per hour", "200 km/h"),
        Row("five megawatts", "5 MW"),
        Row("seventy two degrees fahrenheit", "72 °F"),
        Row("two kilo watt hours", "2 kWh"),
        Row("on the fifth of may twenty twelve", "on 5 may 2012"),
        Row("june thirty", "june 30"),
        Row("july fifteen twenty twenty", "july 15 2020"),
        Row("nineteen eighty four", "1984"),
        Row("in the nineteen eighties", "in the 1980s"),
        Row("seven fifty b c", "750 BC"),
        Row("at five pm", "at 5 PM"),
        Row("at half past three", "at 3:30"),
        Row("at a quarter to one", "at 12:45"),
        Row("from nine thirty to ten forty five", "from 9:30 to 10:45"),
        Row("ten to eleven pm", "10:50 PM"),
        Row("eight o'clock g m t", "8:00 GMT"),
        Row("one two three one two three five six seven eight", "123-123-5678"),
        Row("plus nine one one two three one two three five six seven eight", "+91 123-123-5678"),
        Row("plus forty nine one seven two one two three four five six seven", "+49 172-123-4567"),
        Row("plus three five three one six seven nine nine five five five", "+353 16799555"),
        Row("plus one four one five five five five two six seven one", "+1 415-555-2671"),
        Row("call one eight hundred five five five one two three four", "call 1-800-555-1234"),
        Row("call eight hundred five five five twelve thirty four", "call 800-555-1234"),
        Row("the code is four double seven one", "the code is 4771"),
        Row("one nine two dot one six eight dot one dot one", "192.168.1.1"),
        Row("version two point one point three", "version 2.1.3"),
        Row("version two", "version 2"),
        Row("an x eighty six", "an x86"),
        Row("the r t x forty ninety", "the RTX 4090"),
        Row("a dot b c at g mail dot com", "a.bc@gmail.com"),
        Row("write to john dot smith at example dot com please", "write to john.smith@example.com please"),
        Row("w w w dot example dot org slash news", "www.example.org/news"),
        Row("http colon slash slash example dot com", "http://example.com"),
        Row("dear mister brown", "dear mr. brown"),
        Row("“two hundred meters”, he said", "“200 m”, he said"),
        Row("he gave a hundred and ten percent", "he gave 110%"),
        Row("a hundred and fifty people came", "150 people came"),
        Row("it cost a thousand two hundred dollars", "it cost $1200"),
        Row("about a thousand and one nights", "about 1001 nights"),
        Row("between one hundred and two hundred", "between 100 and 200"),
        Row("blood pressure one forty over ninety", "blood pressure 140 over 90"),
        Row(
            "her weight is one thirty and her sugar was one twenty", "her weight is 130 and her sugar was 120"
        ),
        Row("the status was four oh four", "the status was 404"),
        Row("a boeing seven forty seven", "a boeing 747"),
        Row("give one twenty milligrams", "give 120 mg"),
        Row("one fifty pounds", "150 pounds"),
        Row("at two fifteen", "at 2:15"),
        Row("the four thirty train", "the 4:30 train"),
        Row("at twenty to eight", "at 7:40"),
        Row("ten to five in the morning", "4:50 in the morning"),
        Row("it leaves at seventeen forty five", "it leaves at 17:45"),
        Row("take point five milligrams", "take 0.5 mg"),
        Row("ten m g twice a day", "10 mg twice a day"),
        Row("take five mg of it", "take 5 mg of it"),
        Row("five feet ten inches", "5 ft 10 in"),
        Row("sixty four bit integers", "64 bit integers"),
        Row("twenty-five milligrams", "25 mg"),
        Row("the twenty-first of may", "21 may"),
        Row("use port eighty eighty", "use port 8080"),
        Row("listens on port four four three", "listens on port 443"),
        Row("call nine one one", "call 911"),
        Row("it is oh seven seven double oh nine hundred one two three", "it is 07700900123"),
        Row("this fixes issue twelve thirty four", "this fixes issue 1234"),
        Row("ten minus three is seven", "ten minus three is seven"),
        Row("a hundred dollar bill and a hundred dollars", "a $100 bill and $100"),
        Row("a hundred meter race", "a 100 m race"),
        Row("gate b twelve", "gate B12"),
        Row("to smith seventy two at example dot com", "to smith72@example.com"),
        Row("account number one two three four five six", "account number 123456"),
        Row("apartment four b", "apartment 4B"),
        Row("flight l h four five six", "flight LH456"),
        Row("bug in parser dot swift", "bug in parser.swift"),
        Row("see config dot json", "see config.json"),
        Row("open the file slash etc slash passwd", "open the file /etc/passwd"),
        Row("look in source slash main dot c", "look in source/main.c"),
        Row("tea and slash or coffee", "tea and/or coffee"),
        Row("c plus plus and c sharp", "C++ and C#"),
        Row("the a p i is down", "the a p i is down"),
        Row("his temperature is one oh one point four", "his temperature is 101.4"),
        Row("one oh two point five degrees fahrenheit", "102.5 °F"),
        Row("one twenty point five pounds", "120.5 pounds"),
        Row("give oh point five milliliters", "give 0.5 ml"),
        Row("oh point five milliliters", "0.5 ml"),
        Row("two hundred over one ten", "200 over 110"),
        Row("one sixty over one ten", "160 over 110"),
        Row("t s h two point one", "t s h 2.1"),
        Row("there were one twenty seven people", "there were 127 people"),
        Row("it costs ten thousand won", "it costs ₩10000"),
        Row("we paid at two fifteen", "we paid at 2:15"),
        Row("two fifty dollars", "$250"),
        Row("p s a oh point nine", "p s a 0.9"),
        Row("h b a one c", "HbA1c"),
        Row("in nineteen ninety nine a year later", "in 1999 a year later"),
        Row("at two thirty a man came", "at 2:30 a man came"),
        Row("at one twenty or one thirty", "at 1:20 or 1:30"),
    ]

    /// Several numbers that belong together.
    private static let together: [Row] = [
        Row("two to four milligrams", "2 to 4 mg"),
        Row("between two and four milligrams", "between 2 and 4 mg"),
        Row("two to two and a half liters", "2 to 2 1/2 liters"),
        Row("five to ten percent", "5 to 10%"),
        Row("five or ten dollars", "$5 or $10"),
        Row("two to three million dollars", "$2 to $3 million"),
        Row("two million to three million dollars", "$2 million to $3 million"),
        Row("two to three million people", "2 to 3 million people"),
        Row("one twenty or one forty milligrams", "120 or 140 mg"),
        Row("between one ten and one twenty pounds", "between 110 and 120 pounds"),
        Row("ten or fifteen people", "10 or 15 people"),
        Row("ten twenty or thirty people", "10, 20 or 30 people"),
        Row("fifteen twenty or thirty minutes", "15, 20 or 30 minutes"),
        Row("at ten twenty or eleven thirty", "at 10:20 or 11:30"),
        Row("ten twenty or eleven pm", "10:20 or 11 PM"),
        Row("in nineteen ninety or ninety one", "in 1990 or 91"),
        Row("on may fourth and fifth at noon", "on may 4 and 5 at noon"),
        Row("march third through fifth", "march 3 through 5"),
        Row("the fourth and fifth of may", "4 and 5 may"),
        Row("june first and second graders", "june 1 and second graders"),
        Row("ten minutes to five", "4:50"),
        Row("ten minutes to five miles", "ten minutes to 5 mi"),
        Row("ten fifty dollar bills", "ten $50 bills"),
    ]

    @Test("are written in the same way, and are no time and no year", arguments: together)
    func alike(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    /// Words that are meant as words.
    private static let leftAlone = [
        "one of the two reasons is that he went first", "give me a second", "may i ask you something",
        "he may two or three times a year go there", "the doctor said so", "look at the dot on the page",
        "i was on my two feet", "he is six foot two", "one on one", "one two three go",
        "ten to eleven people",
        "a fifty fifty chance", "the dot com bubble", "one third party said so",
        "the last three quarters were good",
        "hepatitis b two weeks ago", "a plus", "what is the point", "minus the fees",
        "half a million dollars", "plus one two three",
        "at some point five people left", "what is the point five of us asked", "you may first want to save",
        "they will march second", "a hundred people", "i gave a hundred and left",
        "ten to eleven", "one in a thousand two years ago", "i met a hundred one day",
        "we had lunch one thirty", "we start six forty",
        "she bought two twelve packs of beer", "slash prices by half", "connect the dots",
        "it costs two ninety nine", "it costs nineteen ninety nine plus three fifty for shipping",
        "he paid twelve ninety five", "lunch was eleven eighty", "the total was two fifteen",
        "the ticket was nine fifty each", "rent is twelve fifty a month",
        "i bought it for nineteen ninety nine",
        "dial one twenty or one thirty", "the book is nine ninety nine", "one ninety nine a month",
        "nineteen ninety nine dollars",
        "he made fifty sixty dollars", "it is worth two fifty thousand dollars",
        "two or three hundred people",
        "two to three thousand dollars", "ten to twenty thousand dollars", "five ten or twenty milligrams",
        "one twenty or thirty milligrams", "ten eleven or twelve people",
        "the temperature is thirty eight five",
        "seven eleven is open", "nobody knows which one won", "one won", "he has won five won two",
        "flight lands no one thirty", "oh point taken", "one to two days",
        "a million thanks", "he had one foot in the door", "a test for five or six people", "no one came",
    ]

    @Test("are written as people write them", arguments: written)
    func forms(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("stay words where they are meant as words", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("written forms stay as they are", arguments: written)
    func stable(_ row: Row) { #expect(cleaner.clean(row.clean).text == row.clean) }

    @Test("the rule that wrote it is named")
    func named() {
        #expect(
            cleaner.clean("it costs five dollars").actions
                == [.init(rule: .money, before: "five dollars", after: "$5")])
    }
}
