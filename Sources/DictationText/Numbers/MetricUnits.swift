extension MeasureWords {
    /// All units by their spoken words: those that the file spells out, and those that take prefixes, squares and cubes.
    var allUnits: [[String]: String] {
        var units: [[String]: String] = [:]
        for (unit, symbol) in metric {
            add(unit, symbol, "", "", to: &units)
            for (prefix, short) in prefixes { add(unit, symbol, prefix, short, to: &units) }
        }
        units.merge(self.units) { $1 }
        for symbol in symbols {
            let key = symbol.lowercased()
            // "mm" is a sound as well, and left as it is given.
            if symbol != "mm" { units[[key]] = " " + symbol }
            units[key.map(String.init)] = " " + symbol
        }
        return units
    }

    private func add(
        _ unit: String, _ symbol: String, _ prefix: String, _ short: String,
        to units: inout [[String]: String]
    ) {
        for ending in ["", "s"] {
            let word = prefix + unit + ending
            let written = " " + short + symbol
            units[[word]] = written
            if !prefix.isEmpty { units[[prefix, unit + ending]] = written }
            switch symbol {
            case "m":
                units[["square", word]] = written + "²"
                units[["cubic", word]] = written + "³"
            case "W":
                for hours in ["hour", "hours"] {
                    units[[word, hours]] = written + "h"
                    if !prefix.isEmpty { units[[prefix, unit + ending, hours]] = written + "h" }
                }
            case "B": units[[word, "per", "second"]] = written + "/s"
            case "b": units[[word, "per", "second"]] = " " + short + "bps"
            default: break
            }
        }
    }
}
