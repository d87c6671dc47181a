import KeyturnCrypto

/// An ordered list of OAuth parameters: a query, a fragment or a form body (RFC 6749 appendix B).
package struct Parameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package struct Pair: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package private(set) var pairs: [Pair] = []

    package init() {}

    package init(_ pairs: some Sequence<Pair>) { self.pairs = Array(pairs) }

    package init(dictionaryLiteral elements: (String, String)...) {
        pairs = elements.map { Pair(name: $0.0, value: $0.1) }
    }

    /// The pairs that have a value.
    package init(members: KeyValuePairs<String, String?>) {
        for (name, value) in members { self[name] = value }
    }

    /// Replaces invalid UTF-8 by U+FFFD.
    package init(formEncoded text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            pairs.append(Pair(name: Self.decode(halves[0]), value: halves.count > 1 ? Self.decode(halves[1]) : ""))
        }
    }

    package init(queryAndFragmentOf url: String) {
        self.init(queryOf: url)
        pairs += Parameters(fragmentOf: url).pairs
    }

    package init(queryOf url: String) {
        let rest = url.firstIndex { $0 == "?" || $0 == "#" }.map { url[$0...] } ?? ""
        self.init(formEncoded: rest.hasPrefix("?") ? rest.dropFirst().prefix { $0 != "#" } : "")
    }

    package init(fragmentOf url: String) {
        self.init(formEncoded: url.firstIndex(of: "#").map { url[url.index(after: $0)...] } ?? "")
    }

    /// The first value of a name. Setting it replaces the first and removes the others; `nil` removes all.
    package subscript(name: String) -> String? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let index = pairs.firstIndex { $0.name == name }
            pairs.removeAll { $0.name == name }
            if let newValue { pairs.insert(Pair(name: name, value: newValue), at: index ?? pairs.endIndex) }
        }
    }

    /// Adds a pair, even if the name exists, for lists in forms.
    package mutating func append(_ name: String, _ value: String) { pairs.append(Pair(name: name, value: value)) }

    /// OAuth forbids repeated parameters (RFC 6749 §3.1).
    package func count(of name: String) -> Int { pairs.count { $0.name == name } }

    package var isEmpty: Bool { pairs.isEmpty }

    package var formEncoded: String {
        pairs.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { out, byte in
            out += byte.isUnreserved ? String(Unicode.Scalar(byte)) : "%\([byte].hexadecimal.uppercased())"
        }
    }

    static func decode(_ text: some StringProtocol) -> String {
        let encoded = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < encoded.count {
            if encoded[index] == UInt8(ascii: "%"), index + 2 < encoded.count,
                let high = hexDigit(encoded[index + 1]), let low = hexDigit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(encoded[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : encoded[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
