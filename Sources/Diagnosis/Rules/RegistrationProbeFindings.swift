import Foundation
import MSAL
import OAuthCore

/// Whether the authority would answer a client at a redirect URI, by its response to `prompt=none`.
package struct RegistrationProbeFindings: Sendable {
    private let request: Exchange
    private let rejection: Exchange.Rejection?
    private let isAsOfNobody: Bool

    /// A client ID that no authority knows, to compare with.
    package static let nobody = "keyturn-check-no-such-client"

    package init(_ probe: MSALRegistrationProbe, besides other: MSALRegistrationProbe? = nil) {
        isAsOfNobody = other.map { $0.status == probe.status && $0.visibleText == probe.visibleText } ?? false
        var exchange = Exchange(number: 1, method: "GET", target: probe.request.absoluteString)
        (exchange.status, exchange.mayLackResponse) = (probe.status, false)
        exchange.responseHeaders["Location"] = probe.location
        exchange.body = probe.body
        request = exchange
        rejection = exchange.rejection
    }

    package static func failed(_ reason: String) -> CheckFinding {
        CheckFinding("Registration", .skipped, "Unknown: \(reason)")
    }

    package var finding: CheckFinding {
        if let response, isOwn(response) {
            return CheckFinding(named: "registration-in-order", place, seen(response.parameters["error"] ?? "code"))
        }
        if isAsOfNobody, isRejectedByPage {
            // With 401 and 403, it may reject everybody.
            let isCertain = ![401, 403].contains(request.status)
            return CheckFinding(
                named: "registration-as-of-nobody", seen(rejection?.error ?? ""),
                verdict: isCertain ? .failed : .warning)
        }
        if let rejection, [200, 302, 303, 400, 401, 403, 404].contains(request.status) {
            if rejection.namesRedirectURI {
                return CheckFinding(named: "registration-of-other-uri", place, seen(rejection.error))
            }
            if rejection.namesClient || !Set([700016, 70001, .b2c(90008)]).isDisjoint(with: rejection.codes) {
                return CheckFinding(named: "registration-of-other-client", seen(rejection.error))
            }
        }
        return CheckFinding(named: "registration-unclear", seen(rejection?.error ?? ""))
    }

    /// Of a request with another port than the registered one, which the authority accepts: any error is about the port.
    package static func loopback(_ probe: Self?) -> CheckFinding {
        if probe?.finding.verdict == .passed { return CheckFinding(named: "loopback-in-order") }
        let isRejected = probe.map { [400, 401, 403, 404].contains($0.request.status) } ?? false
        return CheckFinding(named: isRejected ? "loopback-with-one-port" : "loopback-unclear")
    }

    /// Whether only a page can tell what the authority rejects.
    package var needsComparison: Bool { finding.verdict == .skipped && isRejectedByPage }

    private var isRejectedByPage: Bool { (400..<500).contains(request.status) && ![408, 429].contains(request.status) }

    private var place: String { Privacy.url(request.parameters["redirect_uri"] ?? "") }

    private var response: Exchange? { request.location.map { Exchange(number: 2, method: "GET", target: $0) } }

    private func isOwn(_ response: Exchange) -> Bool {
        response.isResponse(to: request) && response.parameters["state"] == request.parameters["state"]
    }

    private func seen(_ error: String) -> String {
        let name = error.isEmpty ? [] : [Privacy.text(error, of: "error", for: .explanation)]
        return (["HTTP \(request.status)"] + name + (rejection?.codes ?? []).map(\.text)).joined(separator: ", ")
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
