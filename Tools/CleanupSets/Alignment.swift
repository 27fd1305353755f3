/// The words of one text that are not in another, and must be removed, by their longest common subsequence.
package enum Alignment {
    package static func removed(from said: [String], to meant: [String]) -> [Bool] {
        let (rows, columns) = (said.count, meant.count)
        var longest = [Int](repeating: 0, count: (rows + 1) * (columns + 1))
        for row in stride(from: rows - 1, through: 0, by: -1) {
            for column in stride(from: columns - 1, through: 0, by: -1) {
                let place = row * (columns + 1) + column
                longest[place] =
                    said[row] == meant[column]
                    ? longest[place + columns + 2] + 1 : max(longest[place + columns + 1], longest[place + 1])
            }
        }
        var removed = [Bool](repeating: true, count: rows)
        var (row, column) = (0, 0)
        while row < rows, column < columns {
            let place = row * (columns + 1) + column
            // Taken as late as possible: of words that are said twice, the first go.
            if longest[place + columns + 1] == longest[place] {
                row += 1
            } else if said[row] == meant[column] {
                removed[row] = false
                row += 1
                column += 1
            } else {
                column += 1
            }
        }
        return removed
    }
}
