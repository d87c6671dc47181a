import OAuthCore

/// Finds tokens of unknown format in a server's text, such as a database error that quotes a row.
extension String {
    /// The text with a placeholder for each long run of characters that nobody chose: opaque tokens, keys and digests.
    /// Words, URLs, GUIDs, times and error numbers stay.
    func withoutRandomRuns(sparing spared: String? = nil) -> String {
        // Invisible characters, which are removed before display, could otherwise split a run.
        let bare = withoutInvisibles
        let masked = bare.maskingRuns(sparing: spared)
        return masked == bare ? self : masked
    }

    private func maskingRuns(sparing spared: String?) -> String {
        var shown = ""
        var rest = self[...]
        while !rest.isEmpty {
            let between = rest.prefix { !$0.isInToken }
            rest = rest[between.endIndex...]
            let run = rest.prefix(while: \.isInToken)
            rest = rest[run.endIndex...]
            shown += between + run.maskingRandom(sparing: spared)
        }
        return shown
    }
}

extension Substring {
    /// The run without its random parts and what is joined to them, as the parts of a JWT are. Of a path, what is before them stays.
    fileprivate func maskingRandom(sparing spared: String?) -> String {
        let parts = split { !$0.isInPart }
        let random = parts.first { $0.isRandom(sparing: spared) }
        guard let random = random ?? (isRandom(sparing: spared, inParts: true) ? parts.first : nil) else {
            return String(self)
        }
        let beginning = hasPrefix("/") ? self[..<random.startIndex] : ""
        return beginning + Secret.placeholder + (last == "." ? "." : "")
    }

    /// The shortest random part. Random tokens have at least 128 bits, which are 22 characters of base64.
    private static var shortestRandom: Int { 20 }

    /// - Parameter inParts: whether the signs of standard base64 and of Entra's secrets may divide it.
    private func isRandom(sparing spared: String?, inParts: Bool = false) -> Bool {
        guard utf8.count >= Self.shortestRandom else { return false }
        var rest = String(self)
        if let spared, !spared.isEmpty { rest = rest.replacing(spared, with: "") }
        rest = rest.replacing(#/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}/#, with: "")
        if inParts { rest = String(rest.replacing(#/%[0-9A-Fa-f]{2}/#, with: "").filter(\.isInPart)) }
        guard rest.utf8.count >= Self.shortestRandom else { return false }
        let changes = CharacterChanges(in: rest)
        // Paths and joined words change at less than 40 % of the pairs.
        return inParts ? changes.share >= 0.45 : changes.areRandom
    }
}

/// How often neighbours in a text differ in kind: seldom in words and names, often in random text.
private struct CharacterChanges {
    private enum Kind { case lower, upper, digit }

    private var pairs = 0
    private var changes = 0
    /// From a letter to a digit or back.
    private var digitChanges = 0
    private var longestUnbroken = 0
    private var hasOneKind = true

    init(in text: String) {
        var previous: Kind?
        var unbroken = 0
        for byte in text.utf8 {
            let kind = Self.kind(of: byte)
            unbroken = kind == nil ? 0 : unbroken + 1
            longestUnbroken = max(longestUnbroken, unbroken)
            if let kind, let previous {
                pairs += 1
                if kind != previous {
                    changes += 1
                    hasOneKind = false
                    if kind == .digit || previous == .digit { digitChanges += 1 }
                }
            }
            previous = kind
        }
    }

    var share: Double { Double(changes) / Double(max(1, pairs)) }

    /// Random base64 changes at 64 % of the pairs, hexadecimal at 47 %; "OAuth2AuthenticationException" at 21 %. Text of one
    /// kind doesn't change, but no word or number is that long.
    var areRandom: Bool {
        share >= 0.3 && changes >= 6 || digitChanges >= 4 || longestUnbroken >= 40
            || hasOneKind && longestUnbroken >= 24
    }

    private static func kind(of byte: UInt8) -> Kind? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: nil
        }
    }
}

extension Character {
    /// Base64 of both kinds without its padding, percent-encoding, and the dots between parts.
    fileprivate var isInToken: Bool { isInPart || "+/.~%".contains(self) }

    fileprivate var isInPart: Bool { isASCII && (isLetter || isNumber || self == "-" || self == "_") }
}
