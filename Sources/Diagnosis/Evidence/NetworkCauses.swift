import Foundation
import OAuthCore

/// Causes between the application and the authority: proxies, web pages of a network, busy servers and clocks.
enum NetworkCauses {
    static let all: [CauseRules.Rule] = [
        .init("captive-portal", .stated, judging: captivePortal), .init("cross-origin", .stated, crossOrigin),
        .init("clock", .stated, judging: clock), .init("proxy-password", proxyPassword).of(.operator),
        .init("proxy-stopped", proxyStopped).of(.operator),
        .init("nothing-listens-here", nothingListensHere).of(.operator),
    ]

    /// The authority's metadata, as its proxy sees the authority and not as clients do.
    @Sendable static func internalEndpoint(_ evidence: Evidence) -> Cause? {
        guard evidence.success == nil else { return nil }
        for step in evidence.steps(.discovery) where !Self.isInternal(step.exchange.host) {
            let names = ["token_endpoint", "authorization_endpoint", "device_authorization_endpoint", "jwks_uri"]
            let endpoints = names.compactMap { name in step.exchange.json?[name]?.string.map { (name, $0) } }
            guard
                let (name, endpoint) = endpoints.first(where: {
                    URL(string: $0.1).map { $0.scheme == "http" && !$0.isLoopback || isInternal($0.host ?? "") }
                        ?? false
                })
            else { continue }
            return Cause(
                "Metadata", "The authority's metadata has an internal URL, which clients outside can't use.",
                facts: [.url(name, endpoint)],
                fix: "Set the authority's public URL on its server (Keycloak: hostname), also behind a proxy.",
                at: step.exchange.number)
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

    /// The log names the proxy by its address only.
    @Sendable static func proxyStopped(_ evidence: Evidence) -> Cause? {
        guard let proxy = evidence.log?.connections.proxy, let known = KnownCause.named("proxy-stopped") else {
            return nil
        }
        return Cause(
            known.subject, known.headline, facts: [.host(proxy.address)], fix: known.fix.general, at: proxy.line)
    }

    @Sendable static func nothingListensHere(_ evidence: Evidence) -> Cause? {
        evidence.log?.connections.here.map {
            Cause(
                "Connection", "No program is listening at this local address.", facts: [.host($0.address)],
                fix: "If it's a proxy (HTTPS_PROXY), start it or correct its address. If it's the authority, start it.",
                at: $0.line)
        }
    }

    @Sendable static func proxyPassword(_ evidence: Evidence) -> Cause? {
        guard let exchange = evidence.exchanges.first(where: { $0.status == 407 }),
            let known = KnownCause.named("proxy-password")
        else { return nil }
        return Cause(known.subject, known.headline, fix: known.fix.general, at: exchange.number)
    }

    /// HTML instead of JSON.
    @Sendable static func captivePortal(_ evidence: Evidence) -> Judgement {
        let steps = evidence.steps.filter { [.discovery, .keys, .token, .device].contains($0.role) }
        return Judgement(
            steps.lazy.map { step in
                let exchange = step.exchange
                guard
                    exchange.status == 511 || exchange.isHTML && exchange.status < 400
                        || exchange.location != nil && step.role != .token
                else {
                    return exchange.json == nil ? .open : .ruledOut("Network", "The authority's own JSON arrived.")
                }
                return .found(
                    Cause(
                        "Network", "A web page arrived instead of JSON (\(step.title)).",
                        facts: [.url("URL", exchange.endpoint)],
                        fix:
                            "Open any web page: the network may require a sign-in. Otherwise check the URL and the proxy.",
                        at: exchange.number))
            })
    }

    /// A preflight without the server's permission.
    @Sendable static func crossOrigin(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps(.preflight).first {
            $0.exchange.responseHeaders["Access-Control-Allow-Origin"] == nil && !isDelivered($0.exchange, in: evidence)
        }
        guard let step else { return withoutPreflight(evidence) }
        let blocked = evidence.exchanges.first { $0.url == step.exchange.url && $0.status == 0 }
        return crossOrigin(step.exchange, blocked?.number ?? step.exchange.number)
    }

    /// Whether the program got a token from there, so that the browser blocked nothing.
    private static func isDelivered(_ preflight: Exchange, in evidence: Evidence) -> Bool {
        evidence.steps(.token).contains { $0.exchange.endpoint == preflight.endpoint && $0.exchange.isDelivered }
    }

    private static func crossOrigin(_ request: Exchange, _ blocked: Int) -> Cause {
        Cause(
            "CORS", "The browser blocked the request: the server doesn't allow this web page's origin.",
            facts: [.url("URL", request.endpoint)]
                + (request.requestHeaders["Origin"].map { [.url("Origin", $0)] } ?? []),
            fix:
                "Allow this origin at the authority (Microsoft Entra: register a single-page application). Send no extra headers.",
            // What the authority names is the reason.
            confirmedBy: [], at: request.number, blocked)
    }

    /// A token request of a web page without an answer, although the authority answers. A recording can lack the
    /// preflight.
    private static func withoutPreflight(_ evidence: Evidence) -> Cause? {
        guard let step = evidence.steps(.token).first(where: { $0.exchange.isBlocked }),
            evidence.exchanges.contains(where: { $0.host == step.exchange.host && $0.status != 0 })
        else { return nil }
        return crossOrigin(step.exchange, step.exchange.number)
    }

    /// The subject of ``unexplained(_:)``, which says nothing beside another cause.
    static let unexplainedSubject = "Response"

    /// A response without any error, to which no successful one of the same kind follows.
    @Sendable static func unexplained(_ evidence: Evidence) -> Cause? {
        guard evidence.success == nil else { return nil }
        let accepted = evidence.steps.filter { (200..<400).contains($0.exchange.status) }
        let latest = Dictionary(accepted.map { ($0.role, $0.exchange.number) }, uniquingKeysWith: max)
        let last = evidence.steps.last { step in
            step.exchange.status >= 400 && step.rejection == nil && latest[step.role] ?? 0 <= step.exchange.number
        }
        guard let last else { return nil }
        let (headline, fix) =
            switch (last.role, last.exchange.status) {
            case (.authorize, 400..<500):
                (
                    "The authority shows an error page instead of returning to the application.",
                    "Read the page. Usually the client ID or the redirect URI isn't registered: compare both with the registration."
                )
            case (.token, 401), (.token, 403), (.device, 401), (.device, 403):
                (
                    "The server rejected the client, and doesn't say why.",
                    "Check the client ID, and that it's registered as a public client, without a client secret."
                )
            case (_, 401), (_, 403):
                (
                    "The server rejected the request as unauthorized, and doesn't say why.",
                    "Check that the token is for this server and hasn't expired, and look at the server's log."
                )
            case (_, 404), (_, 405), (_, 410):
                (
                    "The endpoint or its HTTP method doesn't exist.",
                    "Compare the URL with the authority's metadata."
                )
            default:
                (
                    "The server rejected the request, and doesn't say why.",
                    "Look at the server's log at this time. Compare each parameter with the registration."
                )
            }
        // A reason in words that no rule knows.
        let said = headline.replacing(", and doesn't say why.", with: ". Its response has the reason.")
        return Cause(
            unexplainedSubject, last.exchange.hasReason ? said : headline, facts: last.exchange.outcome, fix: fix,
            at: last.exchange.number)
    }

    @Sendable static func busy(_ evidence: Evidence) -> Judgement {
        // The application's own server answers the redirect.
        let steps = evidence.steps.filter { $0.role != .response }
        return Judgement(
            steps.lazy.map(\.exchange).map { exchange in
                guard exchange.status == 429 || (500..<600).contains(exchange.status) else {
                    return exchange.status == 0 ? .open : .ruledOut("Server", "It was neither busy nor down.")
                }
                return .found(
                    Cause(
                        "Server", "The server is busy or down (HTTP \(exchange.status)).",
                        facts: exchange.responseHeaders["Retry-After"].map { [.parameter("Retry-After", $0)] } ?? [],
                        fix: "Try again later; nothing is wrong with the configuration.", at: exchange.number))
            })
    }

    /// A clock difference, by the median of the responses.
    @Sendable static func clock(_ evidence: Evidence) -> Judgement {
        guard let skew = clockSkew(evidence.exchanges) else { return .open }
        guard abs(skew.seconds) >= mostSkew else {
            if let server = differingServer(evidence) { return .found(server) }
            // The servers' times are in whole seconds.
            let seconds = Int(abs(skew.seconds).rounded())
            return .ruledOut("Clock", "It's \(seconds < 2 ? "within 1 s" : "\(seconds) s") of the servers'.")
        }
        let direction = skew.seconds > 0 ? "behind" : "ahead of"
        return .found(
            Cause(
                "Clock",
                "This device's clock is \(Int((abs(skew.seconds) / 60).rounded())) min \(direction) the servers' clocks.",
                fix: "Set the clock automatically (NTP); check the time zone if the difference is whole hours.",
                at: skew.position))
    }

    /// A server whose clock differs from all others. Only responses to POST requests count, because those can't be cached.
    private static func differingServer(_ evidence: Evidence) -> Cause? {
        let hosts = Dictionary(grouping: evidence.exchanges.filter { $0.method == "POST" }, by: \.host)
        let skews = hosts.compactMap { host, exchanges in clockSkew(exchanges).map { (host: host, skew: $0) } }
        guard
            let found = skews.filter({ abs($0.skew.seconds) >= mostSkew }).min(by: {
                $0.skew.position < $1.skew.position
            })
        else { return nil }
        let direction = found.skew.seconds > 0 ? "ahead of" : "behind"
        return Cause(
            "Clock",
            "The clock of one server is \(Int((abs(found.skew.seconds) / 60).rounded())) min \(direction) the others'.",
            facts: [.host(found.host)],
            fix: "Ask the server's operator to set its clock automatically (NTP). Tokens depend on it.",
            at: found.skew.position)
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
            let wait = (exchange.milliseconds ?? 0) / 1000
            let seconds = date.timeIntervalSince(time) - wait
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
