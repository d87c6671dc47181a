import Foundation
import OAuthCore

/// Values of a role that must agree in every product: whose differs, and from whose.
struct Agreement: Sendable {
    let role: ValueRole
    let one: Set<RoleFact.Owner>
    let other: Set<RoleFact.Owner>
    /// What of the values is compared.
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

    /// Two values that a sentence contrasts.
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

    /// Scheme, host and port.
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
        var cause = Cause(
            role.title, "The \(role.noun) \(found.owner.phrase) isn't the one \(wanted.owner.phrase).",
            facts: [
                .role(role, wanted.value, labelled: wanted.owner.rawValue),
                .role(role, found.value, labelled: found.owner.rawValue),
                .difference(difference),
            ], fix: fix)
        cause.positions = lines
        cause.id =
            difference == .tokenVersion
            ? "token-version"
            : wanted.owner == .registered && role == .redirectURI ? "redirect-uri-not-registered" : role.id
        cause.who = role.actor
        return cause
    }

    private static func fix(_ role: ValueRole, _ difference: ValueDifference, _ owner: RoleFact.Owner, _ value: String)
        -> String
    {
        switch (role, difference) {
        case _ where owner == .demanded:
            "Let the --oidc options of the API server and of its client have the same issuer and client ID."
        case (.issuer, .tokenVersion):
            "Set requestedAccessTokenVersion to 2 in the API's manifest, or accept the issuer of version 1.0."
        case (.issuer, .template), (.authority, .template):
            "Configure the tenant's own authority: https://login.microsoftonline.com/TENANT-ID/v2.0."
        case (.issuer, .internalHost), (.issuer, .loopbackName):
            "Give the provider one public address, and configure it as the issuer. Only the URL of its keys may be internal."
        case (.authority, .version): "Add /v2.0 to the authority."
        case (.issuer, _), (.authority, _):
            "Configure the issuer exactly as the provider writes it, character by character."
        case (.audience, .prefix): "Configure the audience as the token has it, with its prefix, or accept both forms."
        case (.audience, _), (.clientID, _), (.scope, _):
            "Request a token for this API, or let the API accept the \(role.noun) of the token."
        case (.resource, _):
            "Use exactly the resource's URL, also its final slash and path, or have the operator correct the metadata (RFC 9728 §3.3)."
        case (.redirectURI, .path) where value.hasPrefix("msauth://"):
            "Register the redirect URI with the hash of the installed app's certificate, for example Google Play's, and configure it."
        case (.redirectURI, _) where owner == .listening:
            "Let the program listen at the port of its redirect URI, or send the port at which it listens."
        case (.redirectURI, _) where owner == .served:
            "Let the application declare exactly this redirect URI: its scheme, its host, and its path with the slash."
        case (.redirectURI, .port):
            "Register exactly this URI, with its port, or let the program listen at the port that is registered."
        case (.redirectURI, _) where owner == .registered:
            "Register exactly the URI that was sent, or configure the program to send a registered one."
        case (.redirectURI, .scheme):
            "Behind a proxy, pass on X-Forwarded-Proto, and let the application use it. Send the same redirect URI everywhere."
        case (.redirectURI, _): "Configure one redirect URI for the whole application, and register exactly this one."
        case (.state, _), (.nonce, _):
            "Start the sign-in again in one tab, and keep the \(role.noun) of each request separately."
        case (.tenant, _): "Sign in to the tenant that is expected, or configure the other one."
        case (.subject, _):
            "Set the subject of the federated credential or trust policy to that of the token, also its letter case."
        case (.region, _): "Configure the region of the Identity Center, which the URL of the page names."
        case (.address, _):
            "Open the application at the host of its configured URL, or configure the URL that the users open."
        }
    }
}

extension ValueRole {
    fileprivate var id: String {
        switch self {
        case .redirectURI: "redirect-uris-differ"
        case .region: "aws-sso-region"
        case .issuer, .authority, .audience, .resource, .clientID, .tenant, .scope, .nonce, .state, .subject, .address:
            "\(noun.lowercased().replacing(" ", with: "-"))-differs"
        }
    }

    /// Who can make the values agree.
    fileprivate var actor: ErrorDictionary.Actor {
        switch self {
        case .issuer, .authority, .address, .resource: .operator
        case .tenant, .subject: .administrator
        case .state, .region: .user
        case .audience, .redirectURI, .clientID, .scope, .nonce: .developer
        }
    }
}

extension Evidence {
    /// Whether the sign-in works after a line.
    func succeeds(after line: Int) -> Bool {
        log?.success.map { $0 > line } ?? false || success.map { $0.exchange.number > line } ?? false
    }
}
