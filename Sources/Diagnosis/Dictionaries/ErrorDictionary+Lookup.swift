import Foundation

/// Lookup by code, name or message.
extension ErrorDictionary {
    /// The entries that match the text, most likely first. A number without letters can match several kinds.
    package func entries(for text: String) -> [Entry] {
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let numbered = Self.codes(in: word).compactMap { entry($0.kind, $0.number) }
        if !numbered.isEmpty { return numbered }
        if let number = Int(word) {
            if number < 0 { return [entry(msal: number)].compactMap(\.self) }
            return [entry(sts: number), entry(.b2c, word), entry(msal: -number), entry(.broker, word)].compactMap(
                \.self)
        }
        return named(word)
    }

    /// The names, for suggestions of similar ones.
    package var names: [String] {
        Kind.allCases.flatMap { entries(of: $0) }.map { $0.name ?? $0.code }
    }

    /// The distinct `AADSTS…` and `AADB2C…` codes of a text, in order.
    package static func codes(in text: String) -> [(kind: Kind, number: String)] {
        var found: [(kind: Kind, number: String)] = []
        for match in text.matches(of: #/(?i)AAD(?<family>STS|B2C)(?<number>[0-9]{4,8})/#) {
            let code = (kind: match.family.uppercased() == "STS" ? Kind.sts : .b2c, number: String(match.number))
            if !found.contains(where: { $0 == code }) { found.append(code) }
        }
        return found
    }

    /// The entries with a Swift, Objective-C (`MSALErrorUserCanceled`) or protocol name.
    private func named(_ word: String) -> [Entry] {
        let direct = [Kind.oauth, .suberror].compactMap { entry($0, word) }
        let plain = word.lowercased().split(separator: ".").last.map(String.init) ?? ""
        let forms = [plain, Self.dropping("msalerror", plain), Self.dropping("msal", plain)]
        let kinds: [Kind] = plain.hasPrefix("msal") || word.contains(".") ? [.msal] : [.msal, .broker]
        let byName = kinds.flatMap { entries(of: $0) }
            .filter { $0.name.map { forms.contains($0.lowercased()) } ?? false }
        return direct + byName
    }

    private static func dropping(_ prefix: String, _ word: String) -> String {
        word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word
    }
}
