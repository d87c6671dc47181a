import Foundation
import OAuthCore

/// Values of a role that must agree in every product: whose differs, and from whose.
struct Agreement: Sendable {
    let role: ValueRole
    let one: Set<RoleFact.Owner>
    let other: Set<RoleFact.Owner>
    var compared: @Sendable (String) -> String = { $0 }

    static let all = [
        Agreement(role: .issuer, one: [.token, .metadata, .received], other: [.configured, .expected]),
        Agreement(role: .issuer, one: [.token, .received], other: [.metadata]),
        Agreement(role: .audience, one: [.token, .received], other: [.configured, .expected]),
        Agreement(role: .redirectURI, one: [.sent], other: [.registered]),
        Agreement(role: .redirectURI, one: [.sent], other: [.configured]),
        Agreement(role: .redirectURI, one: [.configured], other: [.served], compared: target),
        Agreement(role: .redirectURI, one: [.sent], other: [.listening], compared: port),
        Agreement(role: .issuer, one: [.token, .configured], other: [.demanded]),
        Agreement(role: .audience, one: [.token], other: [.demanded]),
        Agreement(role: .clientID, one: [.configured], other: [.demanded]),
        Agreement(role: .region, one: [.received], other: [.configured]),
        Agreement(role: .subject, one: [.received, .token], other: [.configured, .registered]),
        Agreement(role: .address, one: [.opened], other: [.configured], compared: origin),
        Agreement(role: .address, one: [.opened], other: [.registered], compared: host),
    ]

    static let rules: [CauseRules.Rule] =
        [.init(nil, .observed, stated)] + all.map { agreement in .init(nil, .observed, agreement.cause) }
        + [.init(nil, .observed, scopes), .init(nil, .observed, version), TokenTimes.rule] + CookieCauses.all

    private static let rejected: Set<RoleFact.Owner> = [.token, .received]

    @Sendable private static func stated(_ evidence: Evidence) -> Cause? {
        evidence.facts.contradictions.last { !evidence.succeeds(after: $0.line) }.flatMap { found in
            ValueDifference(found.expected, found.received).map { difference in
                cause(
                    evidence, found.role, difference, (found.isOfCode ? .sent : .expected, found.expected),
                    (found.isOfCode ? .redeemed : .received, found.received), at: [found.line])
            }
        }
    }

    /// Two values in different places of a text that complains about their role.
    @Sendable private func cause(_ evidence: Evidence) -> Cause? {
        let named = evidence.facts.complaints[role]
        guard let complaint = named ?? evidence.facts.symptoms[role], !evidence.succeeds(after: complaint) else {
            return nil
        }
        // What doesn't name the role can only be about what was rejected.
        let isOfServer = other == [.demanded]
        let ones = evidence.facts.values(role, named == nil && !isOfServer ? one.intersection(Self.rejected) : one)
        let others = evidence.facts.values(role, other)
        // With several values on one side, nobody knows which belong together. Of registered ones, the nearest counts.
        let isOne =
            Set(others.map { compared($0.value) }).count == 1 || other.contains(.registered) || other == [.served]
        guard isOne, Set(ones.map { compared($0.value) }).count == 1, let first = ones.last, compared(first.value) != ""
        else { return nil }
        let pairs = others.map { ($0, difference(first.value, $0.value)) }
        guard !pairs.contains(where: { $0.1 == nil }),
            let (second, found) = pairs.first(where: { $0.1?.isSmall ?? false }) ?? pairs.first, let found
        else { return nil }
        return Self.cause(
            evidence, role, found, (second.owner, second.value), (first.owner, first.value),
            at: [first.line, second.line, complaint])
    }

    /// Scopes of a token, of which an API needs any one.
    @Sendable private static func scopes(_ evidence: Evidence) -> Cause? {
        let facts = evidence.facts
        guard let complaint = facts.complaints[.scope], !evidence.succeeds(after: complaint),
            let granted = facts.values(.scope, [.granted]).last, let needed = facts.values(.scope, [.needed]).last,
            names(granted.value).isDisjoint(with: names(needed.value))
        else { return nil }
        return cause(
            evidence, .scope, .lacking, (.needed, needed.value), (.granted, granted.value),
            at: [granted.line, needed.line, complaint])
    }

    private static func names(_ scopes: String) -> Set<String> {
        Set(scopes.lowercased().split { " ,".contains($0) }.map { String($0.split(separator: "/").last ?? $0) })
    }

    /// An authority of Entra at a customer's own domain. Without its version, it issues tokens of version 1.0.
    @Sendable private static func version(_ evidence: Evidence) -> Cause? {
        guard let code = evidence.log?.codes.first(where: { $0.code == 500207 }), !evidence.succeeds(after: code.line)
        else { return nil }
        let found = evidence.facts.values(.authority, [.configured]).last { authority in
            guard let url = URL(string: authority.value), url.microsoftService == nil else { return false }
            return url.pathSegments.count == 1 && UUID(uuidString: url.pathSegments[0]) != nil
        }
        return found.map { authority in
            cause(
                evidence, .authority, .version, (.expected, authority.value.trimmingSuffix("/") + "/v2.0"),
                (.configured, authority.value), at: [authority.line, code.line])
        }
    }

    /// A registered value can end with a wildcard, and a declared one be only a scheme.
    private func difference(_ one: String, _ other: String) -> ValueDifference? {
        let (one, other) = (compared(one), compared(other))
        if other.contains("*"), Self.matches(one, other) { return nil }
        let isScheme = other.hasSuffix("://")
        return ValueDifference(isScheme ? one.prefix { $0 != ":" } + "://" : one, other)
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    @Sendable private static func origin(_ text: String) -> String {
        guard let url = URL(string: text), let host = url.host else { return text }
        return "\(url.scheme ?? "")://\(host)\(url.port.map { ":\($0)" } ?? "")".lowercased()
    }

    @Sendable private static func host(_ text: String) -> String { URL(string: text)?.host?.lowercased() ?? text }

    /// The port of a loopback address: its names mean the same there.
    @Sendable private static func port(_ text: String) -> String {
        guard let url = URL(string: text), url.isLoopback else { return "" }
        return "http://localhost:\(url.port ?? 80)"
    }

    /// What an application for a phone declares: a scheme alone, or all of it, in which nothing is percent-encoded.
    @Sendable private static func target(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

// MARK: Words

extension Agreement {
    private typealias Side = (owner: RoleFact.Owner, value: String)

    private static func cause(
        _ evidence: Evidence, _ role: ValueRole, _ difference: ValueDifference, _ wanted: Side, _ found: Side,
        at lines: [Int]
    ) -> Cause {
        let row = KnownCause.named(role == .issuer ? "issuer-differs" : "other-audience-expected")
        let isOfSAML = evidence.runtimes.contains(.saml) && [.issuer, .audience].contains(role)
        let fix =
            (isOfSAML ? row?.fix.text(in: evidence) : nil) ?? Self.fix(role, difference, wanted.owner, wanted.value)
        let id =
            difference == .tokenVersion
            ? "token-version"
            : wanted.owner == .registered && role == .redirectURI ? "redirect-uri-not-registered" : role.id
        return Cause(
            id: id, subject: role.title,
            headline: "The \(role.noun) \(found.owner.phrase) isn't the one \(wanted.owner.phrase).",
            facts: [
                .role(role, wanted.value, labelled: wanted.owner.rawValue),
                .role(role, found.value, labelled: found.owner.rawValue), .difference(difference),
            ], fix: fix, who: role.actor, positions: lines)
    }

    private static func fix(_ role: ValueRole, _ difference: ValueDifference, _ owner: RoleFact.Owner, _ value: String)
        -> String
    {
        let row = KnownCause.values["fixes"]?.array?.first { row in
            func fits(_ text: String, _ list: String) -> Bool { row[list]?.strings?.contains(text) ?? true }
            return fits(role.rawValue, "roles") && fits(difference.rawValue, "differences")
                && fits(owner.rawValue, "owners") && value.hasPrefix(row["start"]?.string ?? "")
        }
        return (row?["fix"]?.string ?? "").replacing("{}", with: role.noun)
    }
}

extension ValueRole {
    private var row: JSONValue? { KnownCause.values["roles"]?[rawValue] }

    fileprivate var id: String { row?["cause"]?.string ?? "" }

    fileprivate var actor: ErrorDictionary.Actor? { row?["who"]?.string.flatMap(ErrorDictionary.Actor.init) }
}

extension Evidence {
    func succeeds(after line: Int) -> Bool {
        log?.success.map { $0 > line } ?? false || success.map { $0.number > line } ?? false
    }
}
