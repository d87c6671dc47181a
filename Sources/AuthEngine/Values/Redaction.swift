import Foundation
import OAuthCore

/// Removes secrets from unstructured text: tokens by their format, and every secret the flow has sent or received.
struct Redaction: Sendable, Equatable {
    /// Minimum length of a secret to search for. Shorter values would match ordinary words.
    static let shortestEcho = 6

    private(set) var known: Set<String> = []

    mutating func learn(_ secret: String) {
        guard secret.utf8.count >= Self.shortestEcho else { return }
        known.insert(secret)
        known.insert(Parameters(dictionaryLiteral: ("", secret)).formEncoded.dropFirst().description)
    }

    func redacted(_ text: String) -> String {
        // Invisible characters, which are removed before display, could otherwise split a secret.
        let bare = text.withoutInvisibles
        let text = known.contains { bare.contains($0) } ? bare : text
        // Longest first, because one secret can contain another.
        return known.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
            .reduce(text) { $0.contains($1) ? $0.replacing($1, with: Secret.placeholder) : $0 }
            .withoutJWTs
    }

    /// Redacts a JSON value, including members with secret names, and removes members of the `hidden` kinds.
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

    /// The text without JOSE objects in compact form. Their headers are JSON objects, which start with `eyJ` (RFC 7515
    /// §7.1).
    fileprivate var withoutJWTs: String {
        guard contains("eyJ") else { return self }
        return replacing(#/eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+/#, with: Secret.placeholder)
    }

    /// The text without mail addresses.
    var withoutMailAddresses: String {
        guard contains("@") else { return self }
        return replacing(#/[^\s@'"<>()\[\],;:]+@[^\s@'"<>()\[\],;:]+/#, with: Self.personalPlaceholder)
    }

    static let personalPlaceholder = "‹personal›"
}
