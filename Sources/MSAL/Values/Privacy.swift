import Foundation
import OAuthCore

/// What is shown of a value, by its name in ``WireParameter`` and its audience. Removes a flow's secrets from texts.
package struct Privacy: Sendable, Equatable {
    /// Whether an error of this name and value is in the dictionary of known ones.
    package typealias KnownError = @Sendable (_ value: String, _ name: String) -> Bool

    package enum Audience: Sendable {
        /// The user, on the own screen and in the log: no secrets of the flow.
        case screen
        /// The readers of a shared flow: also no personal data.
        case shareable
        /// The readers of an explanation of what another program sent or received: only harmless values of the right form.
        case explanation
        /// The readers of a support report: only values that the protocols define.
        case report(KnownError)
        /// The readers of a redacted recording: also only those values. Placeholders replace the others.
        case copy(KnownError)
    }

    package static let hidden = "‹hidden›"
    static let personalPlaceholder = "‹personal›"
    /// Minimum length of a secret to search for. Shorter values would match ordinary words.
    static let shortestEcho = 6
    /// The limits of a server's text in characters: in an error, and in the log.
    static let longestServerText = 300
    static let longestLoggedText = 16_384

    /// The secrets that the flow has sent or received.
    private(set) var known: Set<String> = []

    package init() {}

    init(hiding secrets: [String]) { for secret in secrets { learn(secret) } }
}

/// Named values.
extension Privacy {
    /// The value of a parameter, header field or member, or what stands in its place.
    package static func text(
        _ value: String, of name: String, in place: MSALFlowParameter.Place = .query, for audience: Audience
    ) -> String {
        Privacy().text(of: MessageField(name, value, in: place), for: audience)
    }

    package static func shown(
        _ value: String, of name: String, in place: MSALFlowParameter.Place = .query, to audience: Audience
    ) -> String? {
        Privacy().shown(MessageField(name, value, in: place), to: audience)
    }

    func text(of field: MessageField, for audience: Audience) -> String {
        shown(field, to: audience) ?? Self.replacement(of: field, for: audience)
    }

    private func shown(_ field: MessageField, to audience: Audience) -> String? {
        let entry = WireParameter.named(field.name)
        func form(for reader: WireParameter.Readers) -> WireParameter.Form? {
            entry.flatMap { $0.readers.contains(reader) ? $0.form : nil }
        }
        func defined(by form: WireParameter.Form?, _ isKnown: KnownError) -> String? {
            form.flatMap { $0.defines(field.text) { isKnown($0, field.name.lowercased()) } ? field.text : nil }
        }
        switch audience {
        case .screen: return field.kind == .secret ? nil : text(of: field, hiding: [.secret])
        case .shareable:
            return field.kind == .plain ? text(of: field, hiding: [.secret, .personal]).withoutMailAddresses : nil
        case .explanation: return form(for: .explanation)?.explained(field.text)
        case .report(let isKnown): return defined(by: form(for: .report), isKnown)
        case .copy(let isKnown): return defined(by: entry?.copiedForm(isHeader: field.place.isHeader), isKnown)
        }
    }

    private func text(of field: MessageField, hiding hidden: Set<MSALFlowParameter.Kind>) -> String {
        guard let json = field.json, json.string == nil else {
            let text = redacted(field.text)
            return WireParameter.named(field.name)?.isServerText == true ? text.withoutRandomRuns() : text
        }
        return redacted(json, isPublic: field.isPublic, hiding: hidden).serialized
    }

    private static func replacement(of field: MessageField, for audience: Audience) -> String {
        switch audience {
        case .screen: length(field.text, before: Secret.placeholder)
        case .shareable: field.kind == .personal ? personalPlaceholder : length(field.text, before: Secret.placeholder)
        case .explanation: field.text.isEmpty ? "empty" : length(field.text, before: "hidden,")
        case .report, .copy: hidden
        }
    }

    private static func length(_ text: String, before sign: String) -> String {
        text.isEmpty ? "" : "\(sign) \(text.count) \(text.count == 1 ? "character" : "characters")"
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
                        let kind = WireParameter.kind(of: name, in: .responseBody, isPublic: isPublic)
                        let placeholder = kind == .personal ? Self.personalPlaceholder : Secret.placeholder
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

/// Names and places of what another program sent.
extension Privacy {
    /// The name of a parameter. An unlisted name that can be a value becomes a placeholder.
    package static func name(_ name: String, hasValue: Bool = false) -> String {
        let isPlain =
            hasValue && name.utf8.count <= 32 && name.utf8.allSatisfy { $0.isASCIILetter || "_-".utf8.contains($0) }
        return isPlain || WireParameter.isListed(name) ? name : hidden
    }

    /// A URL without user, and without the values of unlisted parameters.
    package static func url(_ text: String) -> String {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        return Self.place(place) + list(Parameters(queryOf: text), after: "?")
            + list(Parameters(fragmentOf: text), after: "#")
    }

    package static func host(_ text: String) -> String {
        text.allSatisfy { $0.isLetter || $0.isNumber || ".-:[]_".contains($0) } ? text : hidden
    }

    private static func list(_ parameters: Parameters, after mark: String) -> String {
        let pairs = parameters.pairs.map {
            "\(name($0.name, hasValue: !$0.value.isEmpty))=\(shown($0.value, of: $0.name, to: .explanation) ?? hidden)"
        }
        return pairs.isEmpty ? "" : mark + pairs.joined(separator: "&")
    }

    private static func place(_ text: Substring) -> String {
        guard let start = text.firstRange(of: "://"), text[..<start.lowerBound].isWord else { return path(text) }
        let authority = text[start.upperBound...].prefix { $0 != "/" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let user = authority.contains("@") ? "\(hidden)@" : ""
        return "\(text[..<start.lowerBound])://\(user)\(self.host(String(host)))\(path(text[authority.endIndex...]))"
    }

    private static func path(_ text: Substring) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { isPlace($0) ? String($0) : hidden }.joined(separator: "/")
    }

    /// Whether a part of a path names a place. A long part with letters and digits can be a secret, unless it's a GUID.
    private static func isPlace(_ segment: Substring) -> Bool {
        guard segment.utf8.count <= 64, segment.isWord else { return false }
        return UUID(uuidString: String(segment)) != nil
            || segment.split { "._-:+, ".contains($0) }
                .allSatisfy { part in part.utf8.count <= 12 || part.utf8.allSatisfy(\.isASCIILetter) }
    }
}

/// Texts.
extension Privacy {
    mutating func learn(_ secret: String) {
        guard secret.utf8.count >= Self.shortestEcho else { return }
        // A form has a plus sign for a space.
        known.formUnion([secret, secret.replacing(" ", with: "+")])
    }

    mutating func learn(_ fields: [MessageField]) {
        for field in fields where field.kind == .secret {
            learn(field.text)
            // The token without its scheme, which an API can repeat in its body.
            if field.name.lowercased() == "authorization", let blank = field.text.firstIndex(of: " ") {
                learn(String(field.text[field.text.index(after: blank)...]))
            }
        }
        for member in fields.compactMap(\.json) { learnSecrets(in: member) }
    }

    private mutating func learnSecrets(in value: JSONValue) {
        switch value {
        case .array(let elements): for element in elements { learnSecrets(in: element) }
        case .object(let members):
            for (name, value) in members {
                if let text = value.string, WireParameter.isSecret(name) { learn(text) }
                learnSecrets(in: value)
            }
        case .null, .bool, .integer, .large, .number, .string: break
        }
    }

    func redacted(_ text: String) -> String {
        // Invisible characters, which are removed before display, could otherwise split a secret.
        let bare = text.withoutInvisibles
        let text = known.contains { bare.contains($0) } ? bare : text
        // Longest first, because one secret can contain another.
        let plain = known.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
            .reduce(text) { $0.contains($1) ? $0.replacing($1, with: Secret.placeholder) : $0 }
        return (UnescapedText(plain.withoutInvisibles)?.hiding(known) ?? plain).withoutJWTs
    }

    /// Text of a server as it is shown: on one line, without secrets and random runs, and not long. This is the one way
    /// from a server's response into an error.
    /// - Parameter spared: a value of the request that isn't secret, although it may look random: the client ID.
    package func shown(_ text: String, atMost length: Int = Self.longestServerText, sparing spared: String? = nil)
        -> String
    {
        // A long run of spaces could imitate a new line of the terminal.
        let line = redacted(Self.read(text).split(whereSeparator: \.isWhitespace).joined(separator: " "))
        // The prefix bounds the work.
        return String(line.prefix(Self.longestLoggedText)).withoutNamedSecrets.withoutRandomRuns(sparing: spared)
            .beginning(length)
    }

    /// As much of a text as is read. Its last word is omitted if it may be the beginning of a secret.
    private static func read(_ text: String) -> Substring {
        let part = text.prefix(4 * longestLoggedText)
        guard part.endIndex < text.endIndex else { return part }
        return part.lastIndex(where: \.isWhitespace).map { part[..<$0] } ?? Secret.placeholder[...]
    }
}
