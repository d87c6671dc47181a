import Foundation
import OAuthCore

/// Takes secrets out of texts that nothing is known of but where they came from: tokens by their looks, and whatever the
/// flow has sent or got under a secret's name, wherever it turns up again.
struct Redaction: Sendable, Equatable {
    /// A value that has to be found elsewhere is at least as long: a shorter one is part of too many words.
    static let shortestEcho = 6

    private(set) var known: Set<String> = []

    mutating func learn(_ secret: String) {
        guard secret.utf8.count >= Self.shortestEcho else { return }
        known.insert(secret)
        known.insert(Parameters(dictionaryLiteral: ("", secret)).formEncoded.dropFirst().description)
    }

    func redacted(_ text: String) -> String {
        // Characters that are dropped before the text is shown could stand between the parts of a secret.
        let bare = text.withoutInvisibles
        let text = known.contains { bare.contains($0) } ? bare : text
        // The longest first: one secret may be a part of another.
        return known.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
            .reduce(text) { $0.contains($1) ? $0.replacing($1, with: Secret.placeholder) : $0 }
            .withoutJWTs
    }

    /// The same for a value of JSON, whose members may be named like secrets too. Members of a `hidden` kind are left
    /// out.
    func redacted(_ value: JSONValue, isPublic: Bool, hiding hidden: Set<MSALFlowParameter.Kind>) -> JSONValue {
        switch value {
        case .string(let text): .string(redacted(text))
        case .array(let elements): .array(elements.map { redacted($0, isPublic: isPublic, hiding: hidden) })
        case .object(let members):
            .object(
                Dictionary(
                    members.map { name, value in
                        let kind = ParameterNames.kind(of: name, in: .responseBody, isPublic: isPublic)
                        let placeholder = kind == .personal ? String.personalPlaceholder : Secret.placeholder
                        return (
                            redacted(name),
                            hidden.contains(kind)
                                ? .string(placeholder) : redacted(value, isPublic: isPublic, hiding: hidden)
                        )
                    }, uniquingKeysWith: { first, _ in first }))
        case .null, .bool, .integer, .large, .number: value
        }
    }
}

extension String {
    fileprivate var withoutInvisibles: String {
        String(
            String.UnicodeScalarView(
                withoutControls.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    }

    /// The compact form of every JOSE object begins with a header that is a JSON object: `eyJ` (RFC 7515 §7.1).
    fileprivate var withoutJWTs: String {
        guard contains("eyJ") else { return self }
        return replacing(#/eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+/#, with: Secret.placeholder)
    }

    /// Without mail addresses, which are how most people are named.
    var withoutMailAddresses: String {
        guard contains("@") else { return self }
        return replacing(#/[^\s@'"<>()\[\],;:]+@[^\s@'"<>()\[\],;:]+/#, with: Self.personalPlaceholder)
    }

    static let personalPlaceholder = "‹personal›"
}
