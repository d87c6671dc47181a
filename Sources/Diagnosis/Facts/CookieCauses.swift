import Foundation
import OAuthCore

/// Cookies of the application that the browser never returns, and sign-ins that start again and again.
enum CookieCauses {
    static let all: [CauseRules.Rule] = [.init("cookie-lost", lost), .init("cookie-needs-https", needsHTTPS)]

    /// A cookie of the application, and why a browser doesn't return it; `nil` if it does.
    private struct Loss {
        let exchange: Exchange
        /// The name of its texts.
        let why: String
        var facts: [Fact] = []

        /// - Parameter isForm: whether the response is a form of the provider's page.
        init?(_ field: String, _ exchange: Exchange, isForm: Bool) {
            self.exchange = exchange
            let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let attributes = Set(parts.dropFirst().map { $0.lowercased() })
            let domain = attributes.first { $0.hasPrefix("domain=") }.map { $0.dropFirst(7).drop { $0 == "." } }
            let isPlain = exchange.scheme == "http" && !Loopback.contains(exchange.host)
            let size = parts.first?.utf8.count ?? 0
            if size > mostBytes {
                facts = [.size(size)]
                why = "cookie-too-large"
            } else if attributes.contains("secure"), isPlain {
                why = "cookie-for-https"
            } else if attributes.contains("samesite=none"), !attributes.contains("secure") {
                why = "cookie-none-without-secure"
            } else if let domain, exchange.host != domain, !exchange.host.hasSuffix(".\(domain)") {
                why = "cookie-for-another-host"
            } else if attributes.contains("samesite=strict") {
                why = "cookie-strict"
            } else if isForm, !attributes.contains("samesite=none") {
                why = "cookie-not-with-form"
            } else {
                return nil
            }
        }
    }

    /// The most bytes of a name and value that browsers store (RFC 6265bis §5.6).
    private static let mostBytes = 4096

    @Sendable private static func lost(_ evidence: Evidence) -> Cause? {
        let returns = evidence.steps(.response).map(\.exchange).filter { $0.parameters["error"] == nil }
        // A form isn't always recorded.
        let failed = evidence.exchanges.last { $0.status >= 400 && $0.method == "POST" }
        // What the browser returned wasn't lost.
        guard returns.last?.requestHeaders["Cookie"] == nil || evidence.repeats,
            let last = returns.last ?? (evidence.facts.complaints[.state] == nil ? nil : failed)
        else { return nil }
        let isRejected = last.status >= 400 || evidence.facts.complaints[.state] != nil
        guard evidence.repeats || isRejected, !evidence.succeeds(after: last.number) else { return nil }
        let losses = evidence.exchanges.filter { $0.host == last.host && (evidence.repeats || $0.number < last.number) }
            .flatMap {
                exchange in
                exchange.responseHeaders.all("Set-Cookie").compactMap {
                    Loss($0, exchange, isForm: last.method == "POST")
                }
            }
        if let loss = losses.first {
            return Cause(
                loss.why, facts: [.host(last.host)] + loss.facts, at: loss.exchange.number, last.number)
        }
        guard evidence.repeats else { return nil }
        return Cause("cookie-lost", facts: [.url("Redirect URI", last.endpoint)], at: last.number)
    }

    /// A setting, instead of the cookie itself.
    @Sendable private static func needsHTTPS(_ evidence: Evidence) -> Cause? {
        guard let setting = evidence.facts.cookieIsSecure, let complaint = evidence.facts.complaints[.state],
            !evidence.succeeds(after: complaint)
        else { return nil }
        let sites = evidence.facts.values(.redirectURI, [.configured, .sent]).compactMap { URL(string: $0.value) }
        let isPlain = sites.contains { $0.lowercasedScheme == "http" && !$0.isLoopback }
        guard isPlain || evidence.facts.namesProxy else { return nil }
        return Cause(isPlain ? "cookie-needs-https" : "cookie-needs-trusted-proxy", at: setting, complaint)
    }
}
