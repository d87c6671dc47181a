import Foundation
import MSAL
import OAuthCore

/// Whether the authority would answer a client at a redirect URI, by its response to `prompt=none`.
package struct RegistrationProbeFindings: Sendable {
    private static let subject = "Registration"

    private let request: Exchange
    private let rejection: Exchange.Rejection?

    package init(_ probe: MSALRegistrationProbe) {
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
        guard let rejection, [200, 302, 303, 400, 401, 403, 404].contains(request.status) else { return unknown }
        if rejection.namesRedirectURI
            || !rejection.codes.filter([50_011, 500_113, 900_971, 90_006, 90_007].contains).isEmpty
        {
            return CheckFinding(
                Self.subject, .failed, "The authority rejects the redirect URI \(place) (\(seen(rejection.error))).",
                fix: "Register exactly this URI, under \"Mobile and desktop applications\" in Entra.")
        }
        if rejection.namesClient || !rejection.codes.filter([700_016, 70_001, 90_008].contains).isEmpty {
            return CheckFinding(
                Self.subject, .failed, "The authority doesn't know the client ID (\(seen(rejection.error))).",
                fix: "Compare clientId with the registration, and check the tenant in the authority's URL.")
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
        return (["HTTP \(request.status)"] + name + (rejection?.codes ?? []).map { "AADSTS\($0)" }).joined(
            separator: ", ")
    }
}
