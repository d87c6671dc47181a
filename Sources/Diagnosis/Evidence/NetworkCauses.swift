import Foundation
import OAuthCore

/// Causes between the application and the authority: the network, certificates, proxies and clocks.
enum NetworkCauses {
    static let all: [CauseRules.Rule] = [
        certificate, offline, nameNotResolved, proxyPassword, captivePortal, crossOrigin, busy, clock,
    ]

    @Sendable static func certificate(_ evidence: Evidence) -> Cause? {
        failed(
            evidence, "ERR_CERT_", "SEC_ERROR_", "CERTIFICATE_VERIFY_FAILED",
            "self-signed certificate in certificate chain"
        )
        .map {
            Cause(
                "Certificate", "The authority's certificate isn't trusted, often because a proxy replaces it.",
                fix:
                    "Give the program the certificate authority of the proxy (keyturn: --ca-file; Python: REQUESTS_CA_BUNDLE).",
                at: $0)
        }
            ?? evidence.log.flatMap { log in
                (-1206 ... -1200).lazy.compactMap { log.line(withCode: $0) }.first
            }.map {
                Cause(
                    "Certificate", "The TLS connection to the authority failed.",
                    fix:
                        "Trust the proxy's certificate authority on the device, or exclude the authority from inspection.",
                    at: $0.number)
            }
    }

    @Sendable static func offline(_ evidence: Evidence) -> Cause? {
        (failed(evidence, "ERR_INTERNET_DISCONNECTED", "Network is unreachable")
            ?? evidence.log?.line(withCode: -1009)?.number).map {
                Cause("Network", "The device was offline.", fix: "Connect to a network and try again.", at: $0)
            }
    }

    @Sendable static func nameNotResolved(_ evidence: Evidence) -> Cause? {
        (failed(
            evidence, "ERR_NAME_NOT_RESOLVED", "getaddrinfo failed", "Name or service not known",
            "Could not resolve host", "nodename nor servname")
            ?? evidence.log?.line(withCode: -1003)?.number).map {
                Cause(
                    "DNS", "The name of the authority can't be resolved.",
                    facts: host($0, evidence).map { [.init("Host", $0)] } ?? [],
                    fix: "Check the spelling of the host, and whether this network needs a proxy or a VPN.", at: $0)
            }
    }

    @Sendable static func proxyPassword(_ evidence: Evidence) -> Cause? {
        (evidence.exchanges.first { $0.status == 407 }?.number
            ?? failed(evidence, "407 Proxy Authentication Required", "ERR_PROXY_", "ERR_TUNNEL_CONNECTION_FAILED"))
            .map {
                Cause(
                    "Proxy", "The proxy rejected the connection.",
                    fix: "Give the program the proxy's username and password, or ask for access.", at: $0)
            }
    }

    /// HTML instead of JSON.
    @Sendable static func captivePortal(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps.first {
            [.discovery, .keys, .token, .device].contains($0.role)
                && ($0.exchange.status == 511 || $0.exchange.isHTML && $0.exchange.status < 400
                    || $0.exchange.location != nil && $0.role != .token)
        }
        return step.map {
            Cause(
                "Network", "A web page came back from \($0.role.rawValue), where the authority sends JSON.",
                facts: [.init("URL", $0.exchange.endpoint)],
                fix:
                    "Open any web page: the network may ask you to sign in. Otherwise check the address and the proxy.",
                at: $0.exchange.number)
        }
    }

    /// A preflight without the server's permission.
    @Sendable static func crossOrigin(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps(.preflight).first {
            $0.exchange.responseHeaders["Access-Control-Allow-Origin"] == nil
        }
        return step.map { step in
            let blocked = evidence.exchanges.first { $0.url == step.exchange.url && $0.status == 0 }
            return Cause(
                "CORS", "The browser blocked the request: the server doesn't allow this web page's origin.",
                facts: [.init("URL", step.exchange.endpoint)]
                    + (step.exchange.requestHeaders["Origin"].map { [.init("Origin", $0)] } ?? []),
                fix:
                    "Register the redirect URI as a single-page application, or send no extra headers to the authority.",
                at: step.exchange.number, blocked?.number ?? step.exchange.number)
        }
    }

    @Sendable static func busy(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps.first { $0.exchange.status == 429 || (500..<600).contains($0.exchange.status) }
        return step.map {
            Cause(
                "Server", "The server is busy or down (HTTP \($0.exchange.status)).",
                facts: $0.exchange.responseHeaders["Retry-After"].map { [.init("Retry-After", $0)] } ?? [],
                fix: "Try again later; nothing is wrong with the configuration.", at: $0.exchange.number)
        }
    }

    /// A clock difference, by the median of the responses.
    @Sendable static func clock(_ evidence: Evidence) -> Cause? {
        guard let skew = clockSkew(evidence.exchanges), abs(skew.seconds) >= mostSkew else { return nil }
        let direction = skew.seconds > 0 ? "behind" : "ahead of"
        return Cause(
            "Clock",
            "This device's clock is \(Int((abs(skew.seconds) / 60).rounded())) min \(direction) the servers' clocks.",
            fix: "Set the clock automatically (NTP); check the time zone if the difference is whole hours.",
            at: skew.position)
    }

    /// The leeway that validators commonly allow.
    private static let mostSkew: Double = 300

    /// The median difference between `Date` and this device's time, with the position of a response that shows it.
    private static func clockSkew(_ exchanges: [Exchange]) -> (seconds: Double, position: Int)? {
        let measured = exchanges.compactMap { exchange -> (seconds: Double, position: Int)? in
            guard let time = exchange.time, let date = exchange.responseHeaders["Date"].flatMap(HTTPDate.parse),
                exchange.responseHeaders["Age"] == nil
            else { return nil }
            let wait = (exchange.milliseconds ?? 0) / 1000
            return (date.timeIntervalSince(time) - wait, exchange.number)
        }.sorted { $0.seconds < $1.seconds }
        return measured.isEmpty ? nil : measured[measured.count / 2]
    }

    /// The first request or line that failed for one of these reasons.
    private static func failed(_ evidence: Evidence, _ reasons: String...) -> Int? {
        let exchange = evidence.exchanges.first { exchange in
            reasons.contains { exchange.failure?.contains($0) ?? false }
        }
        if let exchange { return exchange.number }
        return evidence.log?.lines.first { line in reasons.contains { line.text.contains($0) } }?.number
    }

    private static func host(_ position: Int, _ evidence: Evidence) -> String? {
        evidence.exchanges.first { $0.number == position }?.host
    }
}
