package func nearest(to word: String, in words: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    return words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }.filter {
        $0.distance <= allowed
    }.min { $0.distance < $1.distance }?.word
}

/// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var best = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
