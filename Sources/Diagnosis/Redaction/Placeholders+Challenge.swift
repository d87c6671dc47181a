import Foundation
import MSAL
import OAuthCore

/// Challenges of a resource (RFC 9110 §11.6.1), parameter by parameter.
extension Placeholders {
    /// `nil` if the value is none.
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
