import Foundation
import MSAL
import OAuthCore

/// Replaces values by placeholders such as `state-1`. Equal values get equal placeholders.
struct Placeholders {
    enum Side { case original, copy }

    private struct Item: Hashable {
        /// The name of the parameter, or `host`, `path`…
        let kind: String
        let text: String
    }

    private struct Known {
        let placeholder: String
        var places: Int
    }

    /// The side of a review. On that of the original, only what may be secret is replaced.
    let side: Side
    private let hidden: HiddenTexts
    private var known: [Item: Known] = [:]
    private var counts: [String: Int] = [:]
    /// The number of headers, members, bodies and pieces of lines that the copy lacks.
    var leftOut = 0
    /// Whether names are those of a protocol, a configuration or a log. A long line repeats them.
    private var areNames: [String: Bool] = [:]

    /// The GUIDs that are secrets, and those that are kept as the IDs of requests.
    private var secretIDs: Set<String> = []
    private var shownIDs: Set<String> = []

    init(for side: Side = .copy, hiding texts: [String] = []) {
        self.side = side
        hidden = HiddenTexts(texts)
    }

    /// Empty again, but for the secrets, if one of them was kept before it was known to be one.
    var restarted: Placeholders? {
        guard !secretIDs.isDisjoint(with: shownIDs) else { return nil }
        var fresh = self
        (fresh.known, fresh.counts, fresh.leftOut, fresh.shownIDs) = ([:], [:], 0, [])
        return fresh
    }

    mutating func withoutHidden(_ text: String) -> String {
        guard let (text, places) = hidden.removed(from: text) else { return text }
        leftOut += places
        return text
    }

    mutating func isNameOfProtocol(_ name: String) -> Bool {
        if let isName = areNames[name] { return isName }
        let isName = CopyVocabulary.hasName(name) || WireParameter.isListed(name)
        if areNames.count < Self.mostNames { areNames[name] = isName }
        return isName
    }

    private static let mostNames = 4096

    mutating func hide(_ value: String, as kind: String, form: (_ name: String) -> String = { $0 }) -> String {
        if side == .original, Self.isShownBeside(kind) { return Self.shownToUser(value) }
        let item = Item(kind: kind, text: value)
        // Looked up once: a long line hides millions of values.
        if let index = known.index(forKey: item) {
            known.values[index].places += 1
            return known.values[index].placeholder
        }
        let placeholder = form("\(kind)-\((counts[kind] ?? 0) + 1)")
        add(placeholder, for: item, places: 1)
        return placeholder
    }

    /// As a server's text, in which anything can be a secret, on the user's own screen.
    private static func shownToUser(_ text: String) -> String {
        Privacy.text(text, of: "error_description", for: .screen)
    }

    /// The parts of a value that placeholders can stand for: those of a path, and the scopes of a list.
    static func parts(of value: String) -> [String] {
        value.split(omittingEmptySubsequences: false) { "/ ".contains($0) }.map(String.init)
    }

    /// Whether a part stands for a value that a copy, an export or a user hides.
    static func isPlaceholder(_ part: String) -> Bool {
        if part.hasPrefix(Secret.placeholder) || part.hasPrefix(Privacy.hidden) { return true }
        // What users write in the place of a value; a few of these words are values, too.
        if Exchange.isHidden(part) { return !["code", "token", "secret"].contains(part.lowercased()) }
        guard let match = part.wholeMatch(of: form.regex) else { return false }
        return match.kind.map { kinds.contains(String($0)) || WireParameter.isListed(String($0)) } ?? true
    }

    static func hides(in value: String) -> Bool { parts(of: value).contains(where: isPlaceholder) }

    private static let form = Pattern(
        #/(?<kind>[A-Za-z_.]+?)-[0-9]+~*(?:\.[a-z.]+)?(?::[0-9]+)?|00000000-0000-0000-0000-[0-9]{12}|198\.51\.100\.[0-9]+(?::[0-9]+)?/#
    )

    private static let kinds: Set = ["host", "path", "url", "scope", "name", "value", "setting", "secret", "id"]

    private static func isShownBeside(_ kind: String) -> Bool {
        if ["host", "path", "url", "scope", "name", "bundle", "client", "team"].contains(kind) { return true }
        guard WireParameter.isListed(kind), let secrecy = WireParameter.named(kind)?.secrecy else { return false }
        return secrecy == .personal || secrecy == .plain
    }

    private mutating func add(_ placeholder: String, for item: Item, places: Int) {
        counts[item.kind, default: 0] += 1
        known[item] = Known(placeholder: placeholder, places: places)
    }

    mutating func keep(_ value: String) -> String {
        if secretIDs.contains(value.lowercased()) { return identifier(value) }
        if UUID(uuidString: value) != nil { shownIDs.insert(value.lowercased()) }
        return value
    }

    mutating func personal(_ value: String) -> String {
        side == .original ? Self.shownToUser(value) : hide(value, as: "value")
    }

    mutating func leaveOut(_ text: String) -> String {
        if side == .original { return Self.shownToUser(text) }
        leftOut += 1
        return HiddenTexts.mark
    }

    /// A GUID as one, so that rules about its form still apply.
    mutating func identifier(_ text: String) -> String {
        if side == .original, !secretIDs.contains(text.lowercased()) {
            shownIDs.insert(text.lowercased())
            return text
        }
        let number = (counts[Self.identifiers] ?? 0) + 1
        return hide(text.lowercased(), as: Self.identifiers) { _ in
            "00000000-0000-0000-0000-" + String(String(1_000_000_000_000 + number).dropFirst())
        }
    }

    private static let identifiers = "id"

    mutating func secret(_ value: String, of name: String) -> String {
        if WireParameter.named(name)?.secrecy == .secret, WireParameter.isListed(name.lowercased()) {
            return self.value(value, of: name)
        }
        learn(value)
        // Rules tell the ID of a secret from its value.
        return UUID(uuidString: value) == nil ? hide(value, as: "secret") : identifier(value)
    }

    private mutating func learn(_ secret: String) {
        if UUID(uuidString: secret) != nil { secretIDs.insert(secret.lowercased()) }
    }

    /// The placeholder of a host that a URL before had.
    func placeholder(ofHost name: String) -> String? { known[Item(kind: "host", text: name.lowercased())]?.placeholder }

    var rows: [Redaction.Receipt.Row] {
        let places = known.reduce(into: [String: Int]()) { $0[$1.key.kind, default: 0] += $1.value.places }
        return counts.map { .init(kind: $0, values: $1, places: places[$0] ?? 0) }.sorted { $0.kind < $1.kind }
    }

    mutating func value(_ value: String, of name: String) -> String {
        if value.isEmpty { return "" }
        if let shown = Privacy.shown(value, of: name, to: .redactedCopy) {
            return UUID(uuidString: value) == nil ? shown : keep(shown)
        }
        let name = name.lowercased()
        let kind = WireParameter.isListed(name) ? name : "value"
        let entry = WireParameter.named(name)
        let (isSecret, form) = (entry?.secrecy == .secret, entry?.copiedForm(isHeader: false))
        if isSecret { learn(value) }
        if UUID(uuidString: value) != nil, !isSecret { return identifier(value) }
        if !isSecret {
            let bytes = Array(value.utf8)
            if FixedForms.isTime(value) || LogFile.known(in: bytes).contains(bytes.indices) { return value }
            if form == .error {
                if value.contains(" ") { return text(bytes) }
                // A provider's own name of an error, in the words of its kind.
                if value.split(separator: "_").map(String.init).allSatisfy(CopyVocabulary.hasWord) { return value }
            }
        }
        return shown(value, as: form, of: name) ?? hide(value, as: kind)
    }

    /// The value of a header field; `nil` if the copy leaves the field out, because no rule reads it.
    mutating func value(_ value: String, ofHeader name: String) -> String? {
        Privacy.shown(value, of: name, in: .responseHeader, to: .redactedCopy)
            ?? shown(value, as: WireParameter.named(name)?.copiedForm(isHeader: true), of: name)
    }

    /// The parts of a value that a copy keeps, with placeholders for the others; `nil` if its form has none.
    private mutating func shown(_ value: String, as form: WireParameter.Form?, of name: String) -> String? {
        switch form {
        case .url: return url(value)
        case .sentence: return text(Array(value.utf8))
        case .codeVerifier: return hide(value, as: name, form: Self.verifier)
        case .scopes:
            return value.split(separator: " ").map(String.init)
                .map { Privacy.shown($0, of: name, to: .redactedCopy) ?? scope($0) }.joined(separator: " ")
        case .cookie: return cookies(value)
        case .mediaType: return ["json", "html"].first(where: value.lowercased().contains).map { "text/\($0)" }
        case .challenge: return challenges(value)
        case .free, .words, .word, .name, .clientID, .error, .errorCodes, .number, .version, .date, .identifier, nil:
            return nil
        }
    }

    /// A scope. Those of public APIs have public names.
    private mutating func scope(_ text: String) -> String {
        let host =
            text.firstRange(of: "https://").map { text[$0.upperBound...].prefix { $0 != "/" }.lowercased() } ?? ""
        let isPublic =
            CopyVocabulary.hosts.contains(host) && text.hasPrefix("https://")
            && text.dropFirst("https://".count + host.count).utf8.allSatisfy {
                $0.isASCIILetter || "/.".utf8.contains($0)
            }
        return isPublic ? text : hide(text, as: "scope")
    }

    /// The pairs with placeholders, and the attributes, which decide whether a browser sends a cookie.
    private mutating func cookies(_ text: String) -> String {
        text.split(separator: ";").map { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = pair.count > 1 ? pair[1] : ""
            switch (pair.first ?? "").lowercased() {
            case "secure", "httponly", "partitioned": return pair.count == 1 ? part : hide(part, as: "cookie")
            case "samesite":
                return ["none", "lax", "strict"].contains(value.lowercased()) ? part : hide(part, as: "cookie")
            case "path": return value.hasPrefix("/") ? "path=\(url(value))" : hide(part, as: "cookie")
            case "domain": return "domain=\(host(value))"
            case "expires": return FixedForms.isTime(value) ? part : hide(part, as: "cookie")
            case "max-age": return Int(value) == 0 ? part : "max-age=1"
            default: return hide(pair[0], as: "cookie") + (value.isEmpty ? "" : "=" + hide(value, as: "value"))
            }
        }.joined(separator: "; ")
    }

    /// A list of parameters. Behind a hidden name, the value is also hidden.
    mutating func parameters(_ list: Parameters) -> Parameters {
        var shown = Parameters()
        for (name, value) in list.pairs.map({ ($0.name, $0.value) }) {
            let isListed = WireParameter.isListed(name)
            shown.append(
                isListed ? name : hide(name, as: "name"),
                isListed ? self.value(value, of: name) : value.isEmpty ? "" : hide(value, as: "value"))
        }
        return shown
    }

    /// A challenge gets that of its verifier's placeholder, so that both still match.
    mutating func connect(verifier: String) {
        guard let challenge = CodeVerifier(verifier)?.challenge else { return }
        let placeholder = hide(verifier, as: "code_verifier", form: Self.verifier)
        guard let other = CodeVerifier(placeholder)?.challenge else { return }
        add(other, for: Item(kind: "code_challenge", text: challenge), places: 0)
    }

    /// A placeholder with the form of RFC 7636 §4.1.
    private static func verifier(_ name: String) -> String {
        name + String(repeating: "~", count: max(0, 43 - name.count))
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
        let scheme = isWeb ? place[..<mark.lowerBound].lowercased() : setting(String(place[..<mark.lowerBound]))
        let authority = place[mark.upperBound...].prefix { $0 != "/" }
        let path = place[authority.endIndex...].split(separator: "/", omittingEmptySubsequences: false).map { part in
            self.segment(String(part), after: scheme)
        }
        let query = text.firstIndex(of: "?").flatMap { start in
            text[..<start].contains("#") ? nil : text[start...].dropFirst().prefix { $0 != "#" }
        }
        let fragment = text.firstIndex(of: "#").map { text[$0...].dropFirst() }
        return "\(scheme)://\(host(String(authority), isWeb: isWeb))\(path.joined(separator: "/"))"
            + list(query, after: "?") + list(fragment, after: "#")
    }

    private mutating func segment(_ text: String, after scheme: String) -> String {
        if text.isEmpty || Self.isPublic(text[...]) { return text }
        if UUID(uuidString: text) != nil { return identifier(text) }
        return scheme == "msauth" ? signature(text) : hide(text, as: "path")
    }

    private static func isPublic(_ segment: Substring) -> Bool {
        let word = segment.lowercased()
        return Masking.publicSegments.contains(word) || endpoints.contains(word)
            || CopyVocabulary.segments.contains(word)
    }

    /// The parts of paths by which ``Exchange`` finds a request's role.
    private static let endpoints: Set<String> = [
        "userinfo", "certs", "jwks", "end_session", "device", "favicon.ico", "login", "kmsi", "protocol",
        "openid-connect", "realms", "error", "register", "signin-oidc", "callback", "openid", "revoke", "introspect",
        "oauth-protected-resource", "oauth-authorization-server", "adfs", "saml2", "v1", "v2", "api", "mcp", "tenant",
    ]

    private mutating func host(_ authority: String, isWeb: Bool) -> String {
        let place = (authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? "")
            .lowercased()
        guard isWeb else { return place == "auth" || place.isEmpty ? place : setting(place) }
        let port = place.firstMatch(of: #/:[0-9]{1,5}$/#).map { String($0.output) } ?? ""
        return host(String(place.dropLast(port.count))) + port
    }

    /// The host, if it's this computer's or that of a public service, also with a typing error.
    mutating func host(_ name: String) -> String {
        if Self.isPublic(host: name) { return name }
        // An address stays one: a program connects to it, whatever host it requested.
        if name.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }), name.contains(".") {
            return hide(name, as: "host") { "198.51.100." + $0.trimmingPrefix("host-") }
        }
        let family = CopyVocabulary.families.first(where: name.hasSuffix) ?? ""
        return hide(name, as: "host") { $0 + (family.isEmpty ? ".invalid" : family) }
    }

    static func isPublic(host name: String) -> Bool {
        Loopback.contains(name) || CopyVocabulary.hosts.contains(name)
            || name.hasSuffix(".com") && editDistance(name, "login.microsoftonline.com") <= mostTypingErrors
    }

    private static let mostTypingErrors = 2

    private mutating func list(_ text: Substring?, after mark: String) -> String {
        guard let text, !text.isEmpty else { return "" }
        return mark + parameters(Parameters(formEncoded: text)).formEncoded
    }
}
