import Foundation
import MSAL
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

    /// The value of a parameter or member, as far as it is harmless.
    mutating func value(_ value: String, of name: String) -> String {
        if value.isEmpty { return "" }
        if let shown = Privacy.shown(value, of: name, to: .redactedCopy) { return shown }
        let name = name.lowercased()
        let kind = WireParameter.isListed(name) ? name : "value"
        switch WireParameter.named(name)?.copiedForm(isHeader: false) {
        case .url: return url(value)
        case .sentence: return sentence(value)
        case .codeVerifier: return hide(value, as: name, form: Self.verifier)
        case .scopes:
            return value.split(separator: " ").map(String.init)
                .map { Privacy.shown($0, of: name, to: .redactedCopy) ?? hide($0, as: name) }.joined(separator: " ")
        case .free, .words, .word, .name, .clientID, .error, .errorCodes, .number, .version, .date, .identifier,
            .cookie, .mediaType, .challenge, nil:
            return hide(value, as: kind)
        }
    }

    /// The value of a header field; `nil` if the copy leaves the field out, because no rule reads it.
    mutating func value(_ value: String, ofHeader name: String) -> String? {
        if let shown = Privacy.shown(value, of: name, in: .responseHeader, to: .redactedCopy) { return shown }
        switch WireParameter.named(name)?.copiedForm(isHeader: true) {
        case .url: return url(value)
        case .cookie: return hide(value, as: "cookie")
        case .mediaType: return ["json", "html"].first(where: value.lowercased().contains).map { "text/\($0)" }
        case .challenge:
            let error = (try? Challenge.parse([value]))?.lazy.compactMap(\.error).first
            return error.map { "Bearer error=\"\(self.value($0, of: "error"))\"" }
        case .free, .sentence, .words, .word, .name, .clientID, .error, .errorCodes, .number, .version, .date,
            .identifier, .scopes, .codeVerifier, nil:
            return nil
        }
    }

    /// A list of parameters. Behind a hidden name, the value is also hidden.
    mutating func parameters(_ list: Parameters) -> Parameters {
        var shown = Parameters()
        for pair in list.pairs {
            let isListed = WireParameter.isListed(pair.name)
            shown.append(name(pair.name), isListed ? value(pair.value, of: pair.name) : hidden(pair.value))
        }
        return shown
    }

    private mutating func hidden(_ value: String) -> String { value.isEmpty ? "" : hide(value, as: "value") }

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
        return mark + parameters(Parameters(formEncoded: text)).formEncoded
    }

    private mutating func name(_ name: String) -> String {
        WireParameter.isListed(name) ? name : hide(name, as: "name")
    }
}
