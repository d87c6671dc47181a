import Foundation
import MSAL
import OAuthCore

/// Values of configurations and markup, by their form: a placeholder has the same one, so that the rules about it still apply.
extension Placeholders {
    mutating func setting(_ text: String) -> String {
        let bare = text.trimmingCharacters(in: .whitespaces)
        guard !bare.isEmpty, bare == text else {
            return bare.isEmpty ? text : text.replacing(bare, with: setting(bare))
        }
        if CopyVocabulary.values.contains(text) || FixedForms.isTime(text) { return text }
        if UUID(uuidString: text) != nil { return identifier(text) }
        if text.contains("://") { return url(text) }
        if text.hasPrefix("/") {
            let rest = String(text.dropFirst())
            return Data(base64Encoded: rest)?.count == Self.sha1Length ? "/" + signature(rest) : url(text)
        }
        if let scheme = scheme(text) ?? expansion(text) ?? clientOfGoogle(text) ?? keychainGroup(text) { return scheme }
        if Self.isPublic(host: text.lowercased()) { return host(text.lowercased()) }
        if text.lowercased().contains("your") || text.contains(where: { "<>[]{}".contains($0) }) {
            return hide(text, as: "value") { "[your-\($0)]" }
        }
        // A bundle identifier, which has the form of a host.
        if text.wholeMatch(of: #/[A-Za-z][\w\-]*(?:\.[\w\-]+){2,}/#) != nil {
            return hide(text, as: "bundle") { "com.example.\($0)" }
        }
        return hide(text, as: "value")
    }

    /// `msauth.BUNDLE` or `msalCLIENT`.
    private mutating func scheme(_ text: String) -> String? {
        for prefix in ["msauth.", "msal"] where text.hasPrefix(prefix) && text.count > prefix.count {
            let rest = String(text.dropFirst(prefix.count))
            if prefix == "msauth." || UUID(uuidString: rest) != nil { return prefix + setting(rest) }
        }
        return nil
    }

    /// A build setting before something else.
    private mutating func expansion(_ text: String) -> String? {
        let known = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)", "$(PRODUCT_BUNDLE_IDENTIFIER)"]
        guard let prefix = known.first(where: text.hasPrefix), text.count > prefix.count else { return nil }
        return prefix + setting(String(text.dropFirst(prefix.count)))
    }

    private mutating func clientOfGoogle(_ text: String) -> String? {
        let (suffix, prefix) = (".apps.googleusercontent.com", "com.googleusercontent.apps.")
        if text.hasSuffix(suffix) { return hide(String(text.dropLast(suffix.count)), as: "client") + suffix }
        if text.hasPrefix(prefix) { return prefix + hide(String(text.dropFirst(prefix.count)), as: "client") }
        return nil
    }

    /// The hash of the certificate that signs an application for Android, as in `msauth://PACKAGE/HASH`.
    mutating func signature(_ text: String) -> String {
        let decoded = text.removingPercentEncoding ?? text
        guard let length = Data(base64Encoded: decoded)?.count, length == Self.sha1Length else {
            return hide(text, as: "signature") { decoded.contains("=") ? "\($0)\(decoded == text ? "=" : "%3D")" : $0 }
        }
        let isEncoded = decoded != text || !text.contains("=")
        return hide(decoded, as: "signature") { name in
            Data((name + String(repeating: "~", count: length)).utf8.prefix(length)).base64EncodedString()
        }.replacing("=", with: isEncoded ? "%3D" : "=")
    }

    private static let sha1Length = 20

    private mutating func keychainGroup(_ text: String) -> String? {
        ["com.microsoft.adalcache", "com.microsoft.identity.universalstorage"].first { text.hasSuffix("." + $0) }.map {
            hide(String(text.dropLast($0.count + 1)), as: "team") + "." + $0
        }
    }
}

/// Challenges of a resource (RFC 9110 §11.6.1), parameter by parameter.
extension Placeholders {
    mutating func challenges(_ field: String) -> String? {
        guard let found = try? Challenge.parse([field]), !found.isEmpty else { return nil }
        return found.map { challenge in
            let isKnown = Self.schemes.contains(challenge.scheme.lowercased())
            let scheme = isKnown ? challenge.scheme : hide(challenge.scheme, as: "value")
            let list = challenge.parameters.pairs.map { pair in
                let shown = parameter(pair.value, ofChallenge: pair.name)
                return "\(shown.name)=\"\(shown.value.replacing("\\", with: "").replacing("\"", with: "\\\""))\""
            }
            return list.isEmpty ? scheme : "\(scheme) \(list.joined(separator: ", "))"
        }.joined(separator: ", ")
    }

    /// Of credentials (RFC 9110 §11.4), in small letters.
    static let schemes: Set = ["basic", "bearer", "digest", "dpop", "negotiate", "ntlm", "pop"]

    private mutating func parameter(_ value: String, ofChallenge name: String) -> (name: String, value: String) {
        switch name {
        case "realm": return (name, setting(value))
        case "claims": return (name, claims(value))
        case "scope", "error", "error_description", "error_uri", "max_age": return (name, self.value(value, of: name))
        case "authorization_uri", "resource_metadata":
            return (name, value.contains("://") ? url(value) : hide(value, as: name))
        default:
            return WireParameter.isListed(name)
                ? (name, self.value(value, of: name)) : (hide(name, as: "name"), hide(value, as: "value"))
        }
    }

    /// A claims request, whose names say why a token was rejected. Its values can be addresses.
    private mutating func claims(_ text: String) -> String {
        let decoded = Data(base64Encoded: text.padding(toLength: (text.count + 3) / 4 * 4, withPad: "=", startingAt: 0))
        let json = decoded.flatMap { try? JSONValue(parsing: String(decoding: $0, as: UTF8.self)) }
        guard let request = json ?? (try? JSONValue(parsing: text)), request.object != nil else {
            return hide(text, as: "claims")
        }
        let shown = shown(claims: request, depth: 0).serialized
        return json == nil ? shown : Data(shown.utf8).base64EncodedString()
    }

    private mutating func shown(claims value: JSONValue, depth: Int) -> JSONValue {
        switch value {
        case .object(let members) where depth < 4:
            var shown: [String: JSONValue] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let isKnown =
                    ["access_token", "id_token", "userinfo", "essential", "value", "values"].contains(name)
                    || ClaimDictionary.bundled.entry(forClaim: name) != nil
                shown[isKnown ? name : hide(name, as: "name")] = self.shown(claims: value, depth: depth + 1)
            }
            return .object(shown)
        case .array(let elements) where depth < 4: return .array(elements.map { shown(claims: $0, depth: depth + 1) })
        case .bool, .null: return value
        case .array, .object, .integer, .large, .number, .string:
            return .string(hide(value.string ?? value.serialized, as: "value"))
        }
    }
}
