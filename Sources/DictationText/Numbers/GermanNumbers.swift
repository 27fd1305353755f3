/// German writes each number below a thousand as one word, "zweihundertfünfundzwanzig", and years below 2000 too: they
/// are made by rule.
enum GermanNumbers {
    static let small: [String: Int] = {
        let ones = """
            null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn \
            siebzehn achtzehn neunzehn
            """.split(separator: " ").map(String.init)
        var table = Dictionary(uniqueKeysWithValues: zip(ones, 0...))
        let units = ["ein"] + ones[2..<10]
        let tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
        for (ten, value) in zip(tens, stride(from: 20, to: 100, by: 10)) {
            table[ten] = value
            for (unit, one) in zip(units, 1...) { table[unit + "und" + ten] = value + one }
        }
        let below = table
        func addHundreds(_ name: String, _ count: Int) {
            table[name + "hundert"] = count * 100
            for (word, value) in below where value > 0 {
                table[name + "hundert" + word] = count * 100 + value
            }
        }
        addHundreds("", 1)
        for (name, count) in zip(units, 1...) { addHundreds(name, count) }
        for (name, century) in zip(ones[11...], 11...) { addHundreds(name, century) }
        return table
    }()

    /// Up to 31, as days have them.
    static let ordinals: [String: Int] = {
        var table: [String: Int] = [:]
        let stems = [1: "erst", 2: "zweit", 3: "dritt", 7: "siebt", 8: "acht"]
        for (word, value) in small where (1...31).contains(value) {
            let stem = stems[value] ?? word + (value < 20 ? "t" : "st")
            for ending in ["e", "en", "er"] { table[stem + ending] = value }
        }
        return table
    }()
}
