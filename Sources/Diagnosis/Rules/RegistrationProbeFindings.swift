import Foundation
import MSAL
import OAuthCore

/// Whether the authority would answer a client at a redirect URI, by its response to `prompt=none`.
package struct RegistrationProbeFindings: Sendable {
    private static let subject = "Registration"

    private let request: Exchange
    private let rejection: Exchange.Rejection?
    private let isAsOfNobody: Bool

    /// A client ID that no authority knows, to compare with.
    package static let nobody = "keyturn-check-no-such-client"

    /// - Parameter other: the response for ``nobody``.
    package init(_ probe: MSALRegistrationProbe, besides other: MSALRegistrationProbe? = nil) {
        isAsOfNobody = other.map { $0.status == probe.status && $0.visibleText == probe.visibleText } ?? false
        var exchange = Exchange(number: 1, method: "GET", url: probe.request.absoluteString, status: probe.status)
        exchange.parameters = Parameters(queryAndFragmentOf: exchange.url)
        exchange.responseHeaders["Location"] = probe.location
        exchange.body = probe.body
        request = exchange
        rejection = exchange.rejection
    }

    /// Why the authority couldn't be asked.
    package static func failed(_ reason: String) -> CheckFinding {
        CheckFinding(subject, .skipped, "Unknown: \(reason)")
    }

    package var finding: CheckFinding {
        if let response, isOwn(response) {
            return CheckFinding(
                Self.subject, .passed,
                "The authority knows this client with \(place): it responds as expected (\(seen(response.parameters["error"] ?? "code")))."
            )
        }
        if isAsOfNobody, let doubt { return doubt }
        guard let rejection, [200, 302, 303, 400, 401, 403, 404].contains(request.status) else { return unknown }
        if rejection.namesRedirectURI
            || !Set([50011, 500113, 900971, .b2c(90006), .b2c(90007)]).isDisjoint(with: rejection.codes)
        {
            return CheckFinding(
                Self.subject, .failed, "The authority rejects the redirect URI \(place) (\(seen(rejection.error))).",
                fix: "Register exactly this URI, under \"Mobile and desktop applications\" in Entra.")
        }
        if rejection.namesClient || !Set([700016, 70001, .b2c(90008)]).isDisjoint(with: rejection.codes) {
            return CheckFinding(
                Self.subject, .failed, "The authority doesn't know the client ID (\(seen(rejection.error))).",
                fix: Self.clientFix)
        }
        return unknown
    }

    /// Whether the authority accepts a loopback redirect URI with another port than the registered one, which it accepts. Only
    /// the port differs, so any error is about it.
    package static func loopback(_ probe: Self?) -> CheckFinding {
        let subject = "Loopback redirect"
        guard let probe, probe.finding.verdict == .passed || [400, 401, 403, 404].contains(probe.request.status)
        else {
            return CheckFinding(subject, .skipped, "Unknown: the authority's response for another port is unclear.")
        }
        guard probe.finding.verdict != .passed else {
            return CheckFinding(subject, .passed, "Accepted with any port (RFC 8252 §7.3).")
        }
        return .deviation(
            subject, .warning,
            "Accepted only with the registered port. RFC 8252 §7.3 requires any port: a client fails if another program uses it.",
            operatorOf: "authority", "ignore the port of a loopback redirect URI")
    }

    /// Whether only a page can tell what the authority rejects.
    package var needsComparison: Bool { finding.verdict == .skipped && isRejectedByPage }

    private var isRejectedByPage: Bool { (400..<500).contains(request.status) && ![408, 429].contains(request.status) }

    /// The finding if the authority doesn't tell this client from one that doesn't exist. With 401 and 403, it may reject everybody.
    private var doubt: CheckFinding? {
        guard isRejectedByPage else { return nil }
        let isCertain = ![401, 403].contains(request.status)
        return CheckFinding(
            Self.subject, isCertain ? .failed : .warning,
            "The authority responds to this client ID as to one that doesn't exist (\(seen(rejection?.error ?? ""))).",
            fix: Self.clientFix)
    }

    private static let clientFix =
        "Compare clientId with the registration, and check the tenant in the authority's URL."

    private var unknown: CheckFinding {
        CheckFinding(
            Self.subject, .skipped,
            "Unknown: the authority responded with \(seen(rejection?.error ?? "")) instead of a redirect to the application."
        )
    }

    private var place: String { Privacy.url(request.parameters["redirect_uri"] ?? "") }

    /// The redirect of the response as a request of the browser.
    private var response: Exchange? {
        request.location.map { location in
            var response = Exchange(number: 2, method: "GET", url: location, status: 0)
            response.parameters = Parameters(queryAndFragmentOf: location)
            return response
        }
    }

    private func isOwn(_ response: Exchange) -> Bool {
        response.isResponse(to: request) && response.parameters["state"] == request.parameters["state"]
    }

    /// The status, the error and the codes.
    private func seen(_ error: String) -> String {
        let name = error.isEmpty ? [] : [Privacy.text(error, of: "error", for: .explanation)]
        return (["HTTP \(request.status)"] + name + (rejection?.codes ?? []).map(\.text)).joined(
            separator: ", ")
    }
}

extension MSALRegistrationProbe {
    /// What a user would read, without the values of the request, and without numbers.
    fileprivate var visibleText: String {
        let values = Parameters(queryAndFragmentOf: request.absoluteString).pairs.map(\.value).filter { $0.count > 3 }
        return values.reduce(body) { $0.replacing($1, with: "") }
            .replacing(#/<script.*?<\/script>|<[^>]*>/#.dotMatchesNewlines().ignoresCase(), with: " ")
            .split { !$0.isLetter }.joined(separator: " ")
    }
}
