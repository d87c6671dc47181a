import Foundation
import OAuthCore

/// Replaces values by placeholders such as `state-1`. Equal values get equal placeholders.
struct Placeholders {
    /// The placeholders by kind and value.
    private var known: [String: [String: String]] = [:]
    private var places: [String: Int] = [:]

    mutating func hide(_ value: String, as kind: String, form: (_ name: String) -> String = { $0 }) -> String {
        places[kind, default: 0] += 1
        if let placeholder = known[kind]?[value] { return placeholder }
        let placeholder = form("\(kind)-\((known[kind]?.count ?? 0) + 1)")
        known[kind, default: [:]][value] = placeholder
        return placeholder
    }

    var rows: [Redaction.Receipt.Row] {
        known.map { .init(kind: $0, values: $1.count, places: places[$0] ?? 0) }.sorted { $0.kind < $1.kind }
    }

    /// The values of the parameters, as far as they are harmless.
    mutating func value(_ value: String, of name: String) -> String {
        if value.isEmpty { return "" }
        let name = name.lowercased()
        if AttemptReport.Parameter.isAllowed(value, for: name) { return value }
        switch name {
        case "redirect_uri", "post_logout_redirect_uri", "iss", "resource", "error_uri", "origin", "location":
            return url(value)
        case "scope":
            return value.split(separator: " ")
                .map {
                    AttemptReport.Parameter.isAllowed(String($0), for: name) ? String($0) : hide(String($0), as: name)
                }
                .joined(separator: " ")
        case "error_description", "errorsummary", "message": return sentence(value)
        case "code_verifier": return hide(value, as: name, form: Self.verifier)
        case "code_challenge": return hide(value, as: name)
        default: return hide(value, as: ParameterDictionary.bundled.isListed(name) ? name : "value")
        }
    }

    /// A challenge gets that of its verifier's placeholder, so that both still match.
    mutating func connect(verifier: String) {
        guard let challenge = CodeVerifier(verifier)?.challenge else { return }
        let placeholder = hide(verifier, as: "code_verifier", form: Self.verifier)
        known["code_challenge", default: [:]][challenge] = CodeVerifier(placeholder)?.challenge
    }

    /// A placeholder with the form of RFC 7636 §4.1.
    private static func verifier(_ name: String) -> String {
        name + String(repeating: "~", count: max(0, 43 - name.count))
    }

    /// The texts and codes of a description that the rules know.
    mutating func sentence(_ text: String) -> String {
        let line = Array(text.utf8)
        let known = LogFile.known(in: line).map { String(decoding: line[$0], as: UTF8.self) }
        return (known + [hide(text, as: "description")]).joined(separator: " ")
    }

    /// Keeps what many URLs have: the scheme, the hosts of the clouds and of this computer, and the paths of endpoints.
    mutating func url(_ text: String) -> String {
        // A server's log has only the path.
        if text.hasPrefix("/") {
            let prefix = "https://localhost"
            return String(url(prefix + text).dropFirst(prefix.count))
        }
        let place = text.prefix { $0 != "?" && $0 != "#" }
        guard let mark = place.firstRange(of: "://") else { return hide(text, as: "url") { "https://\($0).invalid/" } }
        let isWeb = ["http", "https"].contains(place[..<mark.lowerBound].lowercased())
        let scheme =
            isWeb ? place[..<mark.lowerBound].lowercased() : hide(String(place[..<mark.lowerBound]), as: "scheme")
        let authority = place[mark.upperBound...].prefix { $0 != "/" }
        let path = place[authority.endIndex...].split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.isEmpty || Self.isPublic(part) ? String(part) : hide(String(part), as: "path")
        }
        let query = text.firstIndex(of: "?").flatMap { start in
            text[..<start].contains("#") ? nil : text[start...].dropFirst().prefix { $0 != "#" }
        }
        let fragment = text.firstIndex(of: "#").map { text[$0...].dropFirst() }
        return "\(scheme)://\(host(String(authority), isWeb: isWeb))\(path.joined(separator: "/"))"
            + list(query, after: "?") + list(fragment, after: "#")
    }

    private static func isPublic(_ segment: Substring) -> Bool {
        let word = segment.lowercased()
        return Masking.publicSegments.contains(word) || endpoints.contains(word)
    }

    /// The parts of paths by which ``Exchange`` finds a request's role.
    private static let endpoints: Set<String> = [
        "userinfo", "certs", "jwks", "end_session", "device", "favicon.ico", "login", "kmsi", "protocol",
        "openid-connect", "realms",
    ]

    private mutating func host(_ authority: String, isWeb: Bool) -> String {
        let place = (authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? "")
            .lowercased()
        guard isWeb else { return place == "auth" || place.isEmpty ? place : hide(place, as: "host") }
        let port = place.firstMatch(of: #/:[0-9]{1,5}$/#).map { String($0.output) } ?? ""
        let name = String(place.dropLast(port.count))
        if Loopback.contains(name) { return name + port }
        let shown = Masking().host(name)
        if shown == name { return name }
        let family = shown.hasPrefix(Masking.hidden) ? String(shown.dropFirst(Masking.hidden.count)) : ""
        return hide(name, as: "host") { $0 + (family.isEmpty ? ".invalid" : family) }
    }

    private mutating func list(_ text: Substring?, after mark: String) -> String {
        guard let text, !text.isEmpty else { return "" }
        var shown = Parameters()
        for pair in Parameters(formEncoded: text).pairs {
            shown.append(name(pair.name), value(pair.value, of: pair.name))
        }
        return mark + shown.formEncoded
    }

    mutating func name(_ name: String) -> String {
        ParameterDictionary.bundled.isListed(name) ? name : hide(name, as: "name")
    }
}
