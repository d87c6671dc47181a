import MSAL

/// URLs in a text, found in one pass. A regular expression would try each letter as the start of a scheme, and read the rest of
/// the word each time: minutes for a picture in base64.
extension StringProtocol {
    /// Each scheme, with a mark such as `://` after it and at least one character before `isDelimiter`.
    func urls(
        with mark: String, upTo isDelimiter: (Unicode.Scalar) -> Bool
    ) -> [(start: Index, rest: Index, end: Index)] {
        let scalars = unicodeScalars
        var found: [(start: Index, rest: Index, end: Index)] = []
        // Where the characters of a scheme began.
        var word: Index?
        var index = startIndex
        while index < endIndex {
            if scalars[index] == ":", let start = word, scalars[index...].starts(with: mark.unicodeScalars) {
                let rest = scalars.index(index, offsetBy: mark.unicodeScalars.count)
                let end = scalars[rest...].firstIndex(where: isDelimiter) ?? endIndex
                if end > rest {
                    found.append((start, rest, end))
                    (word, index) = (nil, end)
                    continue
                }
            }
            let isPart = word == nil ? scalars[index].isASCIILetter : scalars[index].isOfScheme
            word = isPart ? word ?? index : nil
            index = scalars.index(after: index)
        }
        return found
    }

    /// The URLs with a query or a fragment, without the punctuation of the text around it.
    var urlsWithParameters: [SubSequence] {
        urls(with: ":/") { $0.properties.isWhitespace || "\"'<>`".unicodeScalars.contains($0) }.compactMap { url in
            let word = unicodeScalars[url.rest..<url.end]
            let isAfter = { (scalar: Unicode.Scalar) in "\\)]}…".unicodeScalars.contains(scalar) }
            let mark = word.indices.last { index in
                let next = word.index(after: index)
                return (word[index] == "?" || word[index] == "#") && next < word.endIndex && !isAfter(word[next])
            }
            return mark.map { mark in
                let parameters = word[word.index(after: mark)...]
                return self[url.start..<(parameters.firstIndex(where: isAfter) ?? url.end)]
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool { isASCII && UInt8(ascii: self).isASCIILetter }

    /// Whether a scheme can contain it after its first letter (RFC 3986 §3.1).
    fileprivate var isOfScheme: Bool {
        isASCIILetter || isASCII && UInt8(ascii: self).isDigit || self == "+" || self == "-" || self == "."
    }
}
