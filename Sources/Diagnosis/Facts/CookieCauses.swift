import Foundation
import OAuthCore

/// Cookies of the application that the browser never returns, and sign-ins that start again and again.
enum CookieCauses {
    static let all: [CauseRules.Rule] = [.init("cookie-lost", lost), .init("cookie-needs-https", needsHTTPS)]

    /// Why a browser doesn't return a cookie of the application, `nil` if it does.
    ///
    /// - Parameter isForm: whether the response is a form of the provider's page.
    private static func loss(of field: String, _ exchange: Exchange, isForm: Bool) -> (why: String, facts: [Fact])? {
        let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let attributes = Set(parts.dropFirst().map { $0.lowercased() })
        let domain = attributes.first { $0.hasPrefix("domain=") }.map { $0.dropFirst(7).drop { $0 == "." } }
        let isPlain = exchange.scheme == "http" && !Loopback.contains(exchange.host)
        let size = parts.first?.utf8.count ?? 0
        if size > mostBytes { return ("cookie-too-large", [.size(size)]) }
        if attributes.contains("secure"), isPlain { return ("cookie-for-https", []) }
        if attributes.contains("samesite=none"), !attributes.contains("secure") {
            return ("cookie-none-without-secure", [])
        }
        if let domain, exchange.host != domain, !exchange.host.hasSuffix(".\(domain)") {
            return ("cookie-for-another-host", [])
        }
        if attributes.contains("samesite=strict") { return ("cookie-strict", []) }
        return isForm && !attributes.contains("samesite=none") ? ("cookie-not-with-form", []) : nil
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
        for exchange in evidence.exchanges
        where exchange.host == last.host && (evidence.repeats || exchange.number < last.number) {
            for field in exchange.responseHeaders.all("Set-Cookie") {
                guard let (why, facts) = loss(of: field, exchange, isForm: last.method == "POST") else { continue }
                return Cause(why, facts: [.host(last.host)] + facts, at: exchange.number, last.number)
            }
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
