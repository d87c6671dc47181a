import MSAL

/// URLs in the bytes of a text, found in one pass. A regular expression would try each letter as the start of a scheme, and read the
/// rest of the word each time: minutes for a picture in base64.
extension [UInt8] {
    /// Each URL whose scheme has a mark such as `://` after it, and at least one byte before a blank or one of the `ends`.
    func urls(with mark: String, upTo ends: String) -> [(start: Int, rest: Int, end: Int)] {
        // A no-break space begins with a byte that no URL contains.
        let (mark, ends) = (Array(mark.utf8), Set(ends.utf8).union([0xC2]))
        var (found, index): ([(start: Int, rest: Int, end: Int)], Int) = ([], 0)
        // Where the characters of a scheme began.
        var word: Int?
        while index < count {
            if self[index] == UInt8(ascii: ":"), let start = word, self[index...].starts(with: mark) {
                let rest = index + mark.count
                let end = self[rest...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? count
                if end > rest {
                    found.append((start, rest, end))
                    (word, index) = (nil, end)
                    continue
                }
            }
            // RFC 3986 §3.1.
            let isPart =
                self[index].isASCIILetter || word != nil && (self[index].isDigit || "+-.".utf8.contains(self[index]))
            word = isPart ? word ?? index : nil
            index += 1
        }
        return found
    }
}

extension String {
    /// The URLs with a query or a fragment, without the punctuation of the text around it.
    var urlsWithParameters: [String] {
        let bytes = Array(utf8)
        return bytes.urls(with: ":/", upTo: "\"'<>`").compactMap { url in
            let isAfter = { (index: Int) in
                "\\)]}".utf8.contains(bytes[index]) || bytes[index...].starts(with: HiddenTexts.mark.utf8)
            }
            let mark = (url.rest..<url.end).dropLast().last { "?#".utf8.contains(bytes[$0]) && !isAfter($0 + 1) }
            return mark.map { mark in
                let end = (mark + 1..<url.end).first(where: isAfter) ?? url.end
                return String(decoding: bytes[url.start..<end], as: UTF8.self)
            }
        }
    }
}
