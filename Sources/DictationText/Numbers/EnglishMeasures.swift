extension NumberWords {
    static let measures: MeasureWords = {
        var words = MeasureWords()
        words.units = EnglishUnits.table
        words.timeUnits = [
            "hour": "h", "second": "s", "minute": "min", "hours": "h", "seconds": "s", "minutes": "min",
            "day": "day",
        ]
        words.per = ["per"]
        words.possessives = ["my", "your", "his", "her", "its", "our", "their", "both", "on", "square"]
        words.halfOf = ["half"]
        words.everyday = ["foot", "feet", "mile", "ounce", "bit", "bits", "meter", "metre", "gram"]
        words.parts = ["feet": (["inch", "inches"], "in"), "foot": (["inch", "inches"], "in")]
        words.currencies = currencies
        words.cents = ["cent", "cents"]
        words.centSymbol = "$"
        return words
    }()

    private static let currencies: [[String]: MeasureWords.Currency] = {
        var table: [[String]: MeasureWords.Currency] = [:]
        let countable: [(String, String, [[String]])] = [
            ("dollar", "$", [["us"], ["u", "s"], ["united", "states"], ["american"]]), ("euro", "€", []),
        ]
        for (name, symbol, nations) in countable {
            for nation in [[]] + nations {
                table[nation + [name]] = .init(symbol: symbol, isPlural: false)
                table[nation + [name + "s"]] = .init(symbol: symbol, isPlural: true)
            }
        }
        for (name, symbol) in [
            ("pounds sterling", "£"), ("pound sterling", "£"), ("british pounds", "£"),
            ("british pound", "£"),
            ("yen", "¥"), ("japanese yen", "¥"), ("won", "₩"), ("indian rupees", "₹"),
        ] {
            table[name.split(separator: " ").map(String.init)] = .init(symbol: symbol, isPlural: false)
        }
        for (nation, symbol) in [("canadian", "CA$"), ("australian", "A$")] {
            table[[nation, "dollar"]] = .init(symbol: symbol, isPlural: false)
            table[[nation, "dollars"]] = .init(symbol: symbol, isPlural: true)
        }
        return table
    }()
}

/// What English calls units, and their symbols, as the International System and common use write them.
private enum EnglishUnits {
    static let table: [[String]: String] = {
        var units: [[String]: String] = [:]
        for (unit, symbol) in metric {
            for (prefix, short) in prefixes { add(unit, symbol, prefix, short, to: &units) }
        }
        for (spoken, written) in plain { units[spoken.split(separator: " ").map(String.init)] = written }
        for symbol in symbols {
            let key = symbol.lowercased()
            // "mm" is a sound as well, and left as it is given.
            if symbol != "mm" { units[[key]] = " " + symbol }
            units[key.map(String.init)] = " " + symbol
        }
        return units
    }()

    /// Symbols that are said as letters, or given so by a recogniser: "five m g", "5 mg". No words of their own.
    private static let symbols = [
        "mg", "kg", "ml", "dl", "km", "cm", "mm", "GB", "MB", "KB", "TB", "GHz", "MHz", "kHz", "kW", "kWh",
        "mmHg", "Hz",
    ]

    private static func add(
        _ unit: String, _ symbol: String, _ prefix: String, _ short: String,
        to units: inout [[String]: String]
    ) {
        // "A tonne" and "a bit" are as often no measure.
        for ending in ["", "s"] {
            let word = prefix + unit + ending
            let written = short + symbol
            units[[word]] = " " + written
            if !prefix.isEmpty { units[[prefix, unit + ending]] = " " + written }
            if symbol == "m" {
                for (power, sign) in [("square", "²"), ("cubic", "³")] {
                    units[[power, word]] = " " + written + sign
                }
            }
            if symbol == "W" {
                for hours in ["hour", "hours"] {
                    units[[word, hours]] = " " + written + "h"
                    if !prefix.isEmpty { units[[prefix, unit + ending, hours]] = " " + written + "h" }
                }
            }
            if symbol == "B" || symbol == "b" {
                units[[word, "per", "second"]] = " " + short + (symbol == "b" ? "bps" : "B/s")
            }
        }
    }

    private static let plain: [(String, String)] = [
        ("percent", "%"), ("per cent", "%"), ("percentage points", " percentage points"),
        ("degrees celsius", " °C"), ("degree celsius", " °C"), ("degrees centigrade", " °C"),
        ("degrees fahrenheit", " °F"), ("degree fahrenheit", " °F"), ("kelvin", " K"),
        ("c c", " cc"), ("cc", " cc"), ("ccs", " cc"),
        ("miles per hour", " mph"), ("mile per hour", " mph"), ("miles per gallon", " mpg"),
        ("revolutions per minute", " rpm"), ("beats per minute", " bpm"), ("r p m", " rpm"),
        ("kilograms force", " kgf"), ("kilogram force", " kgf"),
        ("square feet", " sq ft"), ("square foot", " sq ft"), ("cubic feet", " cu ft"),
        ("cubic foot", " cu ft"),
        ("square miles", " sq mi"), ("square mile", " sq mi"), ("square inches", " sq in"),
        ("square inch", " sq in"), ("square yards", " sq yd"), ("square yard", " sq yd"),
        ("feet", " ft"), ("foot", " ft"), ("miles", " mi"), ("mile", " mi"), ("ounces", " oz"),
        ("ounce", " oz"),
        ("fluid ounces", " fl oz"), ("horsepower", " hp"), ("hectares", " ha"), ("hectare", " ha"),
        ("astronomical units", " au"), ("astronomical unit", " au"), ("decibels", " dB"), ("decibel", " dB"),
        // By themselves they are words: "a 64 bit number", "256 bytes".
        ("bit", " bit"), ("bits", " bits"), ("byte", " byte"), ("bytes", " bytes"),
        ("m c g", " µg"), ("mcg", " µg"),
        ("electron volts", " eV"), ("electronvolts", " eV"), ("light years", " ly"), ("light year", " ly"),
    ]

    /// Units that take prefixes.
    private static let metric: [(String, String)] = [
        ("meter", "m"), ("metre", "m"), ("gram", "g"), ("gramme", "g"), ("liter", "l"), ("litre", "l"),
        ("watt", "W"), ("volt", "V"), ("ampere", "A"), ("amp", "A"), ("ohm", "Ω"), ("farad", "F"),
        ("henry", "H"),
        ("hertz", "Hz"), ("byte", "B"), ("bit", "b"), ("joule", "J"), ("calorie", "cal"), ("pascal", "Pa"),
        ("newton", "N"), ("lumen", "lm"), ("siemens", "S"), ("becquerel", "Bq"), ("gray", "Gy"),
        ("sievert", "Sv"),
        ("mole", "mol"), ("tonne", "t"), ("parsec", "pc"), ("lux", "lx"),
    ]

    private static let prefixes: [(String, String)] = [
        ("", ""), ("pico", "p"), ("nano", "n"), ("micro", "µ"), ("milli", "m"), ("centi", "c"), ("deci", "d"),
        ("hecto", "h"), ("kilo", "k"), ("mega", "M"), ("giga", "G"), ("tera", "T"), ("peta", "P"),
        ("exa", "E"),
    ]
}
