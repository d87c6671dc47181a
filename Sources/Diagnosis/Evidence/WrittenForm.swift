/// The form of a token request in a line of a log, found in one pass: pairs joined by `&` or blanks, one of them `grant_type`.
struct WrittenForm {
    let text: Substring

    init?(in line: String) {
        let mark = line.ranges(of: "grant_type=").first {
            line[$0.upperBound...].first.map { !Self.isDelimiter($0) } ?? false
        }
        guard let mark else { return nil }
        text = line[Self.start(before: mark.lowerBound, in: line)..<Self.end(after: mark.upperBound, in: line)]
    }

    private static func isDelimiter(_ character: Character) -> Bool {
        character.isWhitespace || character == "\"" || character == "'"
    }

    private static func isOfName(_ character: Character) -> Bool {
        character == "_" || character.isASCII && character.isLetter
    }

    /// Where the first of the pairs before a place starts.
    private static func start(before place: String.Index, in line: String) -> String.Index {
        var start = place
        while let separator = line[..<start].last, separator == "&" || separator == " " {
            let end = line.index(before: start)
            let first =
                line[..<end].lastIndex { isDelimiter($0) || $0 == "&" }.map(line.index(after:)) ?? line.startIndex
            guard let pair = pair(in: line[first..<end]) else { break }
            start = pair
            if pair > first { break }
        }
        return start
    }

    /// Where the first name before `=` starts.
    private static func pair(in text: Substring) -> Substring.Index? {
        var name: Substring.Index?
        for index in text.indices {
            if text[index] == "=", let name { return name }
            name = isOfName(text[index]) ? name ?? index : nil
        }
        return nil
    }

    /// The end of the last of the pairs after a place, which blanks separate.
    private static func end(after place: String.Index, in line: String) -> String.Index {
        var end = line[place...].firstIndex(where: isDelimiter) ?? line.endIndex
        while line[end...].first == " " {
            let name = line[line.index(after: end)...].prefix(while: isOfName)
            let rest = line[name.endIndex...]
            guard !name.isEmpty, rest.first == "=" else { break }
            let value = rest.dropFirst().prefix { !isDelimiter($0) }
            guard !value.isEmpty else { break }
            end = value.endIndex
        }
        return end
    }
}
