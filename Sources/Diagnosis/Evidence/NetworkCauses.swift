import Foundation
import OAuthCore

/// Causes between the application and the authority: proxies, web pages of a network, busy servers and clocks.
enum NetworkCauses {
    static let all: [CauseRules.Rule] = [
        .init("captive-portal", .stated, judging: captivePortal), .init("cross-origin", .stated, crossOrigin),
        .init("clock", .stated, judging: clock),
        .init("proxy-password") { evidence in
            evidence.exchanges.first { $0.status == 407 }.map { Cause("proxy-password", at: $0.number) }
        },
        .init(nil, nil, unreachable),
    ]

    /// A program's telemetry logs refused connections, too: beside another failure it's only an inference.
    @Sendable private static func unreachable(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log, let (id, address, line, isNamed) = log.connections.unreachable else { return nil }
        let isAlone =
            log.codes.isEmpty && KnownCause.stated(in: log).isSubset(of: ["no-response", id])
            && ErrorText(log).mentions.allSatisfy { $0.line == line } && !evidence.steps.contains(where: \.isRejected)
        var cause = Cause(id, facts: [.host(address)], at: line)
        (cause.id, cause.strength) = (id, isNamed || isAlone ? .observed : .named)
        return cause
    }

    /// The authority's metadata, as its proxy sees the authority and not as clients do.
    @Sendable static func internalEndpoint(_ evidence: Evidence) -> Cause? {
        guard evidence.success == nil else { return nil }
        for step in evidence.steps(.discovery) where !Self.isInternal(step.exchange.host) {
            let names = ["token_endpoint", "authorization_endpoint", "device_authorization_endpoint", "jwks_uri"]
            let json = step.exchange.json
            for name in names {
                guard let text = json?[name]?.string, let url = URL(string: text),
                    url.scheme == "http" && !url.isLoopback || isInternal(url.host ?? "")
                else { continue }
                return Cause("internal-endpoint", facts: [.url(name, text)], at: step.number)
            }
        }
        return nil
    }

    /// Whether a host has a name of a private network (RFC 6762 §3, RFC 8375, RFC 9476), or no domain at all.
    private static func isInternal(_ host: String) -> Bool {
        let last = host.split(separator: ".").suffix(2).joined(separator: ".")
        return !Loopback.contains(host)
            && (!host.contains(".") && !host.contains(":") || last == "home.arpa"
                || ["local", "internal", "lan", "intranet", "svc"].contains(last.split(separator: ".").last ?? ""))
    }

    @Sendable static func captivePortal(_ evidence: Evidence) -> Judgement {
        let steps = evidence.stepsOfAuthority.filter { [.discovery, .keys, .token, .device].contains($0.role) }
        return Judgement(
            steps.lazy.map { step in
                let exchange = step.exchange
                guard
                    exchange.status == 511 || exchange.isHTML && exchange.status < 400
                        || exchange.location != nil && step.role != .token
                else { return exchange.json == nil ? .open : .ruledOut("Network", "The authority's own JSON arrived.") }
                return .found(
                    "captive-portal", naming: step.title, facts: [.url("URL", exchange.endpoint)], at: exchange.number)
            })
    }

    @Sendable static func crossOrigin(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps(.preflight).first {
            $0.exchange.responseHeaders["Access-Control-Allow-Origin"] == nil && isOfSignIn($0.exchange, in: evidence)
                && !isDelivered($0.exchange, in: evidence)
        }
        guard let step else { return withoutPreflight(evidence) }
        let blocked = evidence.exchanges.first { $0.url == step.exchange.url && $0.status == 0 }
        return crossOrigin(step.exchange, blocked?.number ?? step.number)
    }

    /// Programs that block advertisements also answer no preflight.
    private static func isOfSignIn(_ preflight: Exchange, in evidence: Evidence) -> Bool {
        ["token", "code", "revoke", "configuration", "authorization-server"].contains(where: preflight.path.hasSuffix)
            || preflight.requestHeaders["Access-Control-Request-Headers"]?.lowercased().contains("authorization")
                == true
            || evidence.exchanges.contains { $0.url == preflight.url && ![nil, .preflight].contains($0.ownRole) }
    }

    /// Whether the program got a token from there, so that the browser blocked nothing.
    private static func isDelivered(_ preflight: Exchange, in evidence: Evidence) -> Bool {
        evidence.steps(.token).contains { $0.exchange.endpoint == preflight.endpoint && $0.exchange.isDelivered }
    }

    private static func crossOrigin(_ request: Exchange, _ blocked: Int) -> Cause {
        Cause(
            "cross-origin",
            facts: [.url("URL", request.endpoint)]
                + (request.requestHeaders["Origin"].map { [.url("Origin", $0)] } ?? []),
            // What the authority names is the reason.
            confirmedBy: [], at: request.number, blocked)
    }

    /// Without an answer, although the authority answers others. A recording can lack the preflight.
    private static func withoutPreflight(_ evidence: Evidence) -> Cause? {
        guard let step = evidence.steps(.token).first(where: { $0.exchange.isBlocked }),
            evidence.exchanges.contains(where: { $0.host == step.exchange.host && $0.status != 0 })
        else { return nil }
        return crossOrigin(step.exchange, step.number)
    }

    /// The subject of ``unexplained(_:)``, which says nothing beside another cause.
    static let unexplainedSubject = "Response"

    /// A response without any error, to which no successful one of the same kind follows.
    @Sendable static func unexplained(_ evidence: Evidence) -> Cause? {
        guard evidence.success == nil else { return nil }
        let accepted = evidence.steps.filter { (200..<400).contains($0.status) }
        let latest = Dictionary(accepted.map { ($0.role, $0.number) }, uniquingKeysWith: max)
        let last = evidence.stepsOfAuthority.last { step in
            // Browsers ask each server for pages that it lacks, such as an icon.
            step.status >= 400 && step.rejection == nil && latest[step.role] ?? 0 <= step.number
                && (step.role, step.status, step.exchange.method, step.exchange.host) != (.message, 404, "GET", "")
        }
        guard let last else { return nil }
        let text =
            switch (last.role, last.status) {
            case (.authorize, 400..<500): "no-reason-on-page"
            case (.token, 401), (.token, 403), (.device, 401), (.device, 403): "no-reason-for-client"
            case (_, 401), (_, 403): "no-reason-for-token"
            case (_, 404), (_, 405), (_, 410): "no-such-endpoint"
            default: "no-reason"
            }
        // A reason in words that no rule knows.
        let ending = last.exchange.hasReason ? ". Its response has the reason." : ", and doesn't say why."
        return Cause(text, naming: ending, facts: last.exchange.outcome, at: last.number)
    }

    @Sendable static func busy(_ evidence: Evidence) -> Judgement {
        // The application's own server answers the redirect.
        let steps = evidence.stepsOfAuthority.filter { $0.role != .response }
        return Judgement(
            steps.lazy.map(\.exchange).map { exchange in
                guard exchange.status == 429 || (500..<600).contains(exchange.status) else {
                    return exchange.status == 0 ? .open : .ruledOut("Server", "It was neither busy nor down.")
                }
                return .found(
                    "server-busy", naming: "\(exchange.status)",
                    facts: exchange.responseHeaders["Retry-After"].map { [.parameter("Retry-After", $0)] } ?? [],
                    at: exchange.number)
            })
    }

    @Sendable static func clock(_ evidence: Evidence) -> Judgement {
        guard let skew = clockSkew(evidence.steps.map(\.exchange)) else { return .open }
        guard abs(skew.seconds) >= mostSkew else {
            if let server = differingServer(evidence) { return .found(server) }
            // The servers' times are in whole seconds.
            let seconds = Int(abs(skew.seconds).rounded())
            return .ruledOut("Clock", "It's \(seconds < 2 ? "within 1 s" : "\(seconds) s") of the servers'.")
        }
        return .found("clock", naming: words(-skew.seconds), at: skew.position)
    }

    /// A server whose clock differs from all others. Only responses to POST requests count, because those can't be cached.
    private static func differingServer(_ evidence: Evidence) -> Cause? {
        let hosts = Dictionary(grouping: evidence.exchanges.filter { $0.method == "POST" }, by: \.host)
        let skews = hosts.compactMap { host, exchanges in clockSkew(exchanges).map { (host: host, skew: $0) } }
        return skews.filter { abs($0.skew.seconds) >= mostSkew }.min { $0.skew.position < $1.skew.position }
            .map { host, skew in
                Cause("clock-of-server", naming: words(skew.seconds), facts: [.host(host)], at: skew.position)
            }
    }

    private static func words(_ lead: Double) -> String {
        "\(Int((abs(lead) / 60).rounded())) min \(lead > 0 ? "ahead of" : "behind")"
    }

    /// The leeway that validators commonly allow.
    private static let mostSkew: Double = 300

    /// A difference without the whole or half hours of the time zone. A longer one isn't a time zone's.
    private static func withoutZone(_ seconds: Double) -> Double {
        guard abs(seconds) < 15 * hour else { return seconds }
        let rest = seconds - (seconds / hour).rounded() * hour
        return abs(rest) > 0.45 * hour ? 0 : rest
    }

    private static let hour = 3600.0

    /// The median difference between `Date` and this device's time, with the position of a response that shows it.
    private static func clockSkew(_ exchanges: [Exchange]) -> (seconds: Double, position: Int)? {
        let measured = exchanges.compactMap { exchange -> (seconds: Double, position: Int)? in
            guard let time = exchange.time, let date = exchange.date,
                exchange.responseHeaders["Age"] == nil
            else { return nil }
            let seconds = date.timeIntervalSince(time) - (exchange.milliseconds ?? 0) / 1000
            return (exchange.hasLocalTime ? withoutZone(seconds) : seconds, exchange.number)
        }.sorted { $0.seconds < $1.seconds }
        return measured.isEmpty ? nil : measured[measured.count / 2]
    }
}

extension Exchange {
    /// Whether the body of an error is a text for people, or JSON with one.
    fileprivate var hasReason: Bool {
        guard let body, !isHTML else { return false }
        guard let members = try? JSONValue(parsing: Array(body.utf8)).object else {
            return !body.contains("<") && body.contains(" ")
        }
        return ["message", "Message", "detail", "title", "error_description", "errorSummary", "__type"].contains {
            members[$0]?.string?.isEmpty == false
        }
    }
}
