import Foundation
import OAuthCore

/// Causes found in the order and the parameters of requests.
enum FlowCauses {
    static let all: [CauseRules.Rule] = [
        .init("redirect-uri-not-registered", judging: redirectURI),
        .init("pushed-request-unusable", PushedRequests.unusable), .init("unknown-client", unknownClient),
        .init("endpoint-as-authority", endpointAsAuthority), .init("rejected-registration", rejectedRegistration),
        .init("secret-required", secretRequired), .init("state-changed", judging: stateChanged),
        .init("proxied-response", proxiedResponse), .init("other-host", ReturnCauses.otherHost),
        .init("response-in-fragment", ReturnCauses.inFragment), .init("failed-handler", .worded, failedHandler),
        .init("nobody-listens", judging: nobodyListens), .init("url-cut-off", cutOff),
        .init("internal-endpoint", NetworkCauses.internalEndpoint),
        .init("unencrypted-authority", judging: unencryptedAuthority), .init("third-party-cookies", thirdPartyCookies),
        .init("cookies-blocked", judging: withoutCookies), .init("declined", .coded, declined),
        .init("cancelled", .named, cancelled), .init("device-code-expired", GrantCauses.deviceCodeExpired),
        .init("abandoned", abandoned),
    ]

    // MARK: The authorization endpoint

    @Sendable static func redirectURI(_ evidence: Evidence) -> Judgement {
        if let cause = unregisteredRedirectURI(evidence) { return .found(cause) }
        // An authority returns only to an application and a URI that it knows (RFC 6749 §4.1.2.1).
        return evidence.steps(.response).contains { $0.request != nil }
            ? .ruledOut("Registration", "The authority returned to the redirect URI.") : .open
    }

    private static func unregisteredRedirectURI(_ evidence: Evidence) -> Cause? {
        guard let found = evidence.steps.first(where: { $0.rejection?.namesRedirectURI == true }),
            let request = found.role == .authorize ? found.exchange : found.request,
            let sent = request.parameters["redirect_uri"]
        else { return nil }
        let uri = URL(string: sent)
        let isInsecure =
            uri?.lowercasedScheme == "http" && uri?.isLoopback == false
            && evidence.exchanges.contains { $0.scheme == "https" && $0.host == uri?.host?.lowercased() }
        let isAtMicrosoft = URL(string: request.endpoint)?.microsoftService != nil
        return Cause(
            isInsecure
                ? "redirect-uri-insecure"
                : isAtMicrosoft ? "redirect-uri-not-registered-at-microsoft" : "redirect-uri-not-registered",
            facts: [.parameter("redirect_uri", sent, labelled: "Sent")]
                + accepted(besides: sent, request, in: evidence), at: request.number, found.number)
    }

    /// A redirect URI of the same client that the authority accepted, and how the sent one differs.
    private static func accepted(besides sent: String, _ request: Exchange, in evidence: Evidence) -> [Fact] {
        let others = evidence.steps(.authorize).filter {
            $0.parameters["client_id"] == request.parameters["client_id"] && $0.rejection == nil && $0.status < 400
        }.compactMap { $0.parameters["redirect_uri"] }.filter { $0 != sent }
        guard let accepted = others.first(where: { ValueDifference(sent, $0)?.isSmall ?? false }) ?? others.first else {
            return []
        }
        return [.parameter("redirect_uri", accepted, labelled: "Accepted")]
            + (ValueDifference(sent, accepted).map { [.difference($0)] } ?? [])
    }

    /// An error page without a redirect means that the authority doesn't trust the redirect URI (RFC 6749 §4.1.2.1).
    @Sendable static func rejectedRegistration(_ evidence: Evidence) -> Cause? {
        let found = evidence.steps(.authorize).last { step in
            [400, 401, 403, 404].contains(step.status) && step.rejection == nil
                && ["", "GET"].contains(step.exchange.method.uppercased())
                // The authority has accepted the parameters of a pushed request.
                && step.parameters["request_uri"] == nil
        }
        guard let request = found?.exchange, let sent = request.parameters["redirect_uri"],
            let client = request.parameters["client_id"]
        else { return nil }
        let others = accepted(besides: sent, request, in: evidence)
        return Cause(
            others.isEmpty ? "rejected-registration" : "rejected-redirect-uri",
            facts: [.status(request.status), .parameter("client_id", client), .parameter("redirect_uri", sent)]
                + others, at: request.number)
    }

    @Sendable static func endpointAsAuthority(_ evidence: Evidence) -> Cause? {
        for step in evidence.steps(.discovery) where step.status >= 400 || step.exchange.isHTML {
            guard let url = URL(string: step.exchange.endpoint), let authority = url.issuerAddress.authorityOfEndpoint,
                url.issuerAddress != url
            else { continue }
            return Cause(
                "endpoint-as-authority",
                facts: [.url("Requested", step.exchange.endpoint), .url("Authority", authority.absoluteString)],
                at: step.number)
        }
        return nil
    }

    @Sendable static func unknownClient(_ evidence: Evidence) -> Cause? {
        let found = evidence.steps.first { step in
            guard let rejection = step.rejection else { return false }
            return [.authorize, .page, .device].contains(step.role)
                && (rejection.namesClient
                    || !Set([700016, 70001, .b2c(90008), .b2c(90068)]).isDisjoint(with: rejection.codes))
        }
        guard let found else { return nil }
        let request = found.request ?? found.exchange
        guard let client = request.parameters["client_id"] else { return nil }
        return Cause(
            "unknown-client",
            facts: [.parameter("client_id", client, labelled: "Sent"), .url("Authority", request.endpoint)],
            at: request.number, found.number)
    }

    @Sendable static func stateChanged(_ evidence: Evidence) -> Judgement {
        let requests = evidence.steps(.authorize).map(\.exchange)
        let states = Set(requests.compactMap { $0.parameters["state"] })
        let redeemed = Set(evidence.steps(.token).map { $0.parameters["code"] })
        let latest = requests.last.flatMap { latest in
            evidence.steps(.response).contains { $0.request == latest } ? nil : latest
        }
        guard !states.isEmpty else { return .open }
        return Judgement(
            evidence.steps(.response).lazy.map { step in
                guard let state = step.parameters["state"], states.contains(state) else {
                    return .found(step.parameters["state"] == nil ? "state-missing" : "state-unknown", at: step.number)
                }
                let isAccepted = (200..<400).contains(step.exchange.status)
                if let latest, latest.number < step.number || !isAccepted, latest.parameters["state"] != state,
                    !redeemed.contains(step.parameters["code"])
                {
                    return .found("state-of-earlier-sign-in", at: latest.number, step.number)
                }
                return .ruledOut("State", "The response has that of its request.")
            })
    }

    @Sendable static func unencryptedAuthority(_ evidence: Evidence) -> Judgement {
        let steps = evidence.steps.filter { [.authorize, .token, .device].contains($0.role) }
        return Judgement(
            steps.lazy.map(\.exchange).map { exchange in
                if exchange.scheme == "https" { return .ruledOut("Encryption", "Every request used https.") }
                guard exchange.scheme == "http", !Loopback.contains(exchange.host) else { return .open }
                return .found(
                    "unencrypted-authority", facts: [.url("Authority", exchange.endpoint)], at: exchange.number)
            })
    }

    @Sendable static func nobodyListens(_ evidence: Evidence) -> Judgement {
        let responses = evidence.steps(.response).map(\.exchange).filter { Loopback.contains($0.host) }
        return Judgement(
            responses.lazy.map { response in
                if (200..<400).contains(response.status) {
                    return .ruledOut("Listener", "The program at the redirect URI responded.")
                }
                guard response.status == 0, !response.mayLackResponse,
                    response.failure?.contains("CONNECTION_REFUSED") ?? true
                else { return .open }
                return .found("nobody-listens", facts: [.url("Redirect URI", response.endpoint)], at: response.number)
            })
    }

    /// A proxy of the browser answered the redirect to this computer.
    @Sendable static func proxiedResponse(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps(.response).first { step in
            let headers = step.exchange.responseHeaders
            return Loopback.contains(step.exchange.host) && step.status >= 400
                && ["Via", "X-Squid-Error", "Proxy-Status", "X-Cache"].contains { headers[$0] != nil }
        }
        return step.map {
            Cause("proxied-response", facts: [.url("Redirect URI", $0.exchange.endpoint)], at: $0.number)
        }
    }

    @Sendable static func failedHandler(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps(.response).first { $0.status >= 400 && $0.parameters["code"] != nil }
        guard let response = step?.exchange, evidence.steps(.token).isEmpty else { return nil }
        return Cause(
            response.status == 404 ? "page-missing-there" : "error-there",
            facts: [.url("Redirect URI", response.endpoint), .status(response.status)], at: response.number)
    }

    @Sendable static func cutOff(_ evidence: Evidence) -> Cause? {
        let request = evidence.exchanges.first {
            $0.method == "GET" && ($0.path.hasSuffix("/authorize") || $0.path.hasSuffix("/auth"))
                && $0.parameters.isCutOffRequest
        }
        return request.map { Cause("url-cut-off", facts: $0.outcome, at: $0.number) }
    }

    /// The authority set a cookie with its page, but got none with the form.
    @Sendable static func withoutCookies(_ evidence: Evidence) -> Judgement {
        guard evidence.exchanges.allSatisfy({ $0.requestHeaders["Cookie"] == nil }) else {
            let sends = evidence.steps.contains {
                [.authorize, .page].contains($0.role) && $0.exchange.requestHeaders["Cookie"] != nil
            }
            return sends ? .ruledOut("Cookies", "The browser sends the authority its cookies.") : .open
        }
        return Judgement(evidence, rejectedForm)
    }

    private static func rejectedForm(_ evidence: Evidence) -> Cause? {
        let forms = evidence.exchanges.filter { $0.method == "POST" && [400, 403].contains($0.status) && $0.isHTML }
        let last = Dictionary(forms.map { ($0.host, $0.number) }, uniquingKeysWith: max)
        let page = evidence.exchanges.first { page in
            page.responseHeaders["Set-Cookie"] != nil && last[page.host].map { $0 > page.number } ?? false
        }
        guard let page, let form = forms.first(where: { $0.number > page.number && $0.host == page.host }) else {
            return nil
        }
        return Cause("cookies-blocked", facts: [.url("URL", form.endpoint)], at: page.number, form.number)
    }

    /// The authority issued a code to the client, but its token endpoint doesn't accept the client without a secret.
    @Sendable static func secretRequired(_ evidence: Evidence) -> Cause? {
        let issued = Set(evidence.steps(.response).compactMap { $0.parameters["code"] })
        let step = evidence.steps(.token).first { step in
            step.rejection?.error == "invalid_client" && step.exchange.requestHeaders["Authorization"] == nil
                && ["client_secret", "client_assertion"].allSatisfy { step.parameters[$0] == nil }
                && step.parameters["code"].map(issued.contains) ?? false
        }
        let client = step?.parameters["client_id"].map { [Fact.parameter("client_id", $0, labelled: "Sent")] } ?? []
        return step.map { Cause("secret-required", facts: client, at: $0.number) }
    }

    @Sendable static func thirdPartyCookies(_ evidence: Evidence) -> Cause? {
        let silent = evidence.steps(.authorize).first { step in
            let headers = step.exchange.requestHeaders
            return step.parameters["prompt"] == "none" && headers["Sec-Fetch-Dest"] == "iframe"
                && (headers["Sec-Fetch-Site"] == "cross-site" || headers["Cookie"] == nil)
                && ["login_required", "interaction_required"].contains(step.rejection?.error)
        }
        guard let silent else { return nil }
        let hasCode = evidence.steps(.response).contains { $0.parameters["code"] != nil }
        let signedIn = evidence.steps(.authorize).first {
            $0.exchange.host == silent.exchange.host && $0.exchange.requestHeaders["Sec-Fetch-Dest"] != "iframe"
                && ($0.issuedCode != nil || hasCode)
        }
        return signedIn.map { Cause("third-party-cookies", at: $0.number, silent.number) }
    }

    @Sendable static func declined(_ evidence: Evidence) -> Cause? {
        guard rejected(in: evidence, codes: [90093, 90094, 90095]) == nil else { return nil }
        guard let step = rejected(in: evidence, codes: [65004]) else { return nil }
        // The page that asks for an administrator has no button to accept, only a link that declines.
        let page = evidence.log.map(ErrorText.init)?.mentions.first {
            $0.entry.kind == .phrase && $0.entry.name == "Consent"
        }
        var cause = Cause("declined", at: step.number)
        if let page {
            (cause.headline, cause.fix) = (page.entry.meaning, page.entry.nextStep)
            cause.positions.insert(page.line, at: 0)
        }
        return cause
    }

    @Sendable static func cancelled(_ evidence: Evidence) -> Cause? {
        guard let step = evidence.steps.first(where: { $0.rejection?.error == "access_denied" }) else { return nil }
        // The authority's own reasons have the same code (RFC 6749 §4.1.2.1).
        let isUser =
            step.parameters["error_subcode"] == "cancel" || step.rejection?.text.contains(usersChoice.regex) == true
        return Cause(isUser ? "cancelled" : "cancelled-or-denied", at: step.number)
    }

    private static let usersChoice = Pattern(
        #/(?i)cancel|declin|(user|owner)\b.{0,20}\b(denied|refused|rejected|did not (consent|authorize))/#)

    @Sendable static func abandoned(_ evidence: Evidence) -> Cause? {
        guard !evidence.isCut, let step = evidence.steps(.authorize).last, case let last = step.exchange,
            !evidence.steps.contains(where: { $0.request == last && ($0.role == .response || $0.rejection != nil) }),
            step.issuedCode == nil, step.rejection == nil, evidence.steps(.token).isEmpty,
            (200..<400).contains(last.status)
        else { return nil }
        let final = evidence.steps.last { [.authorize, .page].contains($0.role) }?.exchange ?? last
        if final.method == "POST", final.isHTML, final.body?.contains("<form") == false {
            return Cause("abandoned-after-form", at: final.number)
        }
        return Cause("abandoned", at: last.number)
    }

    private static func rejected(in evidence: Evidence, codes: Set<LogFile.Code>) -> Evidence.Step? {
        evidence.steps.first { !codes.isDisjoint(with: $0.rejection?.codes ?? []) }
    }
}
