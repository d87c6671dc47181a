import Foundation
import OAuthCore

/// Causes in token requests, whatever the response says.
enum GrantCauses {
    static let all: [CauseRules.Rule] = [
        .init("code-used-twice", judging: codeUsedTwice), .init("challenge-method-missing", missingChallengeMethod),
        .init("wrong-verifier", judging: wrongVerifier), .init("verifier-missing", missingVerifier),
        .init("other-redirect-uri", judging: otherRedirectURI), .init("other-client", judging: otherClient),
        .init("refresh-token-replaced", judging: refreshTokenReplaced), .init("code-expired", judging: codeExpired),
    ]

    @Sendable static func codeUsedTwice(_ evidence: Evidence) -> Judgement {
        switch use(of: "code", in: evidence) {
        case .twice(let first, let second):
            .found("code-used-twice", confirmedBy: [54005, 70008], at: first.number, second.number)
        case .once: .ruledOut("Authorization code", "It was redeemed once.")
        case .unknown: .open
        }
    }

    @Sendable static func refreshTokenReplaced(_ evidence: Evidence) -> Judgement {
        switch use(of: "refresh_token", in: evidence) {
        case .twice(let first, let second):
            // A recording can lack the body. A server that doesn't replace the token returns none, or the same.
            first.body == nil
                || first.json?["refresh_token"]?.string.map { $0 != second.parameters["refresh_token"] } ?? false
                ? .found("refresh-token-replaced", confirmedBy: [70008, 50173], at: first.number, second.number) : .open
        case .once: .ruledOut("Refresh token", "It wasn't replaced before in these requests.")
        case .unknown: .open
        }
    }

    private enum Use {
        case twice(Exchange, Exchange)
        case once
        /// No request shows it, or the server accepted it again.
        case unknown
    }

    private static func use(of name: String, in evidence: Evidence) -> Use {
        var sent: [String: Exchange] = [:]
        var isCertain = true
        for step in evidence.steps(.token) where step.parameters[name] != nil {
            guard let value = step.exchange.shown(name) else {
                isCertain = false
                continue
            }
            let first = sent[value]
            if let first, step.isRejectedGrant { return .twice(first, step.exchange) }
            isCertain = isCertain && first == nil
            let (status, mayLackResponse) = (step.status, step.exchange.mayLackResponse)
            if first == nil, status != 0 || mayLackResponse, status < 500 { sent[value] = step.exchange }
        }
        return isCertain && !sent.isEmpty ? .once : .unknown
    }

    @Sendable static func wrongVerifier(_ evidence: Evidence) -> Judgement {
        Judgement(
            pairs(in: evidence).lazy.map { request, redemption in
                guard let challenge = request.parameters["code_challenge"],
                    let verifier = redemption.exchange.shown("code_verifier")
                else { return .open }
                let isHashed = request.parameters["code_challenge_method"] ?? "plain" == CodeVerifier.challengeMethod
                guard (isHashed ? CodeVerifier(verifier)?.challenge : verifier) != challenge else {
                    return .ruledOut("PKCE", "The verifier matches the challenge.")
                }
                let form = CodeVerifier(verifier)?.form(ofMistaken: challenge)
                return .found(
                    form == nil ? "wrong-verifier" : "challenge-in-another-form", naming: form ?? "",
                    confirmedBy: pkceCodes, at: request.number, redemption.number)
            })
    }

    /// A hashed challenge, which the server compares as it is (RFC 7636 §4.3).
    @Sendable static func missingChallengeMethod(_ evidence: Evidence) -> Cause? {
        pairs(in: evidence).first { request, redemption in
            guard let verifier = redemption.exchange.shown("code_verifier").flatMap(CodeVerifier.init),
                redemption.isRejectedGrant, request.parameters["code_challenge_method"] == nil
            else { return false }
            return verifier.challenge == request.parameters["code_challenge"]
        }.map { request, redemption in
            Cause("challenge-method-missing", confirmedBy: pkceCodes, at: request.number, redemption.number)
        }
    }

    private static let pkceCodes: Set<LogFile.Code> = [50148, 501481, 501491, 9002325]

    @Sendable static func missingVerifier(_ evidence: Evidence) -> Cause? {
        pairs(in: evidence).first { request, redemption in
            request.parameters["code_challenge"] != nil && redemption.parameters["code_verifier"] == nil
                && redemption.isRejectedGrant
        }.map { request, redemption in
            Cause("verifier-missing", confirmedBy: pkceCodes, at: request.number, redemption.number)
        }
    }

    @Sendable static func otherRedirectURI(_ evidence: Evidence) -> Judgement {
        Judgement(
            pairs(in: evidence).lazy.map { request, redemption in
                agreement(
                    "other-redirect-uri", of: "redirect_uri", .redirectURI, request, redemption,
                    isRejected: redemption.isRejectedRequest, confirmedBy: [50011, 500112])
            })
    }

    /// The client of the sign-in, or of the response with the refresh token, and another one in the token request.
    @Sendable static func otherClient(_ evidence: Evidence) -> Judgement {
        let issued = evidence.steps(.token).first { $0.exchange.json?["refresh_token"]?.string }
        let refreshes = evidence.steps(.token).compactMap { refresh in
            refresh.exchange.shown("refresh_token").flatMap { issued[$0] }.map { ($0.exchange, refresh) }
        }
        return Judgement(
            (pairs(in: evidence) + refreshes).lazy.map { request, redemption in
                guard redemption.parameters["client_id"] != nil else { return .open }
                return agreement(
                    "other-client", of: "client_id", .clientID, request, redemption,
                    isRejected: redemption.isRejectedRequest || redemption.rejection?.namesClient ?? false,
                    confirmedBy: [700016, 70000, 70001, 700005])
            })
    }

    private static func agreement(
        _ text: String, of name: String, _ role: ValueRole, _ request: Exchange, _ redemption: Evidence.Step,
        isRejected: Bool, confirmedBy codes: Set<LogFile.Code>
    ) -> Judgement {
        let second = redemption.parameters[name] ?? ""
        guard let first = request.shown(name) else { return .open }
        guard let difference = ValueDifference(first, second) else {
            let proof = role == .clientID ? "in all requests" : "in the sign-in and the token request"
            return .ruledOut(role.title, "It's the same \(proof).")
        }
        guard isRejected else { return .open }
        return .found(
            second.isEmpty ? "\(text)-missing" : text,
            facts: [
                .parameter(name, first, labelled: "Sign-in"), .parameter(name, second, labelled: "Token request"),
                .difference(difference),
            ], confirmedBy: codes, at: request.number, redemption.number)
    }

    /// The time between the response with the code and the token request, by the authority's clock.
    @Sendable static func codeExpired(_ evidence: Evidence) -> Judgement {
        let redirects = evidence.steps.first(by: \.issuedCode)
        let responses = evidence.steps(.response).first { $0.parameters["code"] }
        return Judgement(
            evidence.steps(.token).lazy.compactMap { step in
                guard let code = step.parameters["code"] else { return nil }
                guard let issuing = redirects[code] ?? responses[code],
                    let wait = issuing.exchange.seconds(until: step.exchange)
                else { return .open }
                if wait < shortestLife {
                    return .ruledOut(
                        "Code's age", "It was redeemed \(wait < 1 ? "within 1 s" : "after \(Int(wait)) s").")
                }
                guard step.isRejectedGrant else { return .open }
                return .found(
                    "code-expired", naming: "\(Int(wait / 60))", confirmedBy: [70008, 54005],
                    at: issuing.number, step.number)
            })
    }

    /// Authorities let a code expire after one to ten minutes.
    private static let shortestLife = 60.0

    /// Pairs of an authorization request and the token request that redeems its code.
    private static func pairs(in evidence: Evidence) -> [(Exchange, Evidence.Step)] {
        let responses = evidence.steps(.response).last { $0.parameters["code"] }
        let requests = evidence.steps(.authorize).last { $0.parameters["state"] }
        let redirects = evidence.steps(.authorize).last(by: \.issuedCode)
        let starts = evidence.steps(.authorize).map(\.exchange)
        return evidence.steps(.token).compactMap { step in
            guard let code = step.parameters["code"] else { return nil }
            let response = responses[code]
            // Who copies requests by hand leaves out the response between the two.
            let only = starts.count == 1 && responses.isEmpty && redirects.isEmpty ? starts.first : nil
            let request =
                response?.parameters["state"].flatMap { requests[$0] }?.exchange ?? response?.request
                ?? redirects[code]?.exchange ?? only
            return request.map { ($0, step) }
        }
    }

    @Sendable static func deviceCodeExpired(_ evidence: Evidence) -> Cause? {
        let polls = evidence.steps(.token).filter { $0.parameters["device_code"] != nil }
        let devices = evidence.steps(.device).first { $0.exchange.json?["device_code"]?.string }
        let last = polls.last { poll in
            if poll.rejection?.error == "expired_token" { return true }
            guard poll.isRejectedGrant, let issued = poll.parameters["device_code"].flatMap({ devices[$0] }),
                let life = issued.exchange.json?["expires_in"]?.double,
                let wait = issued.exchange.seconds(until: poll.exchange)
            else { return false }
            return wait >= life
        }
        return last.map { Cause("device-code-expired", at: $0.number) }
    }
}

extension Evidence.Step {
    var issuedCode: String? { exchange.location.flatMap { Parameters(queryAndFragmentOf: $0)["code"] } }

    /// Whether the server rejected a token request for a reason that can be the request's: not its client, nor the server's.
    fileprivate var isRejectedRequest: Bool {
        isRejectedGrant || (400..<500).contains(exchange.status) && rejection?.error == "unauthorized_client"
    }

    /// Whether the server rejected a token request without a reason, or with that of any invalid code or token.
    fileprivate var isRejectedGrant: Bool {
        guard (400..<500).contains(status) || status == 0 && exchange.mayLackResponse && rejection != nil, status != 429
        else { return false }
        guard let error = rejection?.error, let entry = ErrorDictionary.bundled.entry(.oauth, error) else {
            return true
        }
        return ["invalid_grant", "invalid_request", "invalid_code", "access_denied"].contains(entry.code)
    }
}

extension Exchange {
    /// The seconds between two responses by the server's clock, or else between two requests by this device's.
    func seconds(until later: Exchange) -> Double? {
        if let start = date, let finish = later.date { return finish.timeIntervalSince(start) }
        guard let start = time, let finish = later.time else { return nil }
        return finish.timeIntervalSince(start)
    }
}

/// Look-ups by key. A recording can have thousands of requests, so that no rule searches all of them for each of them.
extension Sequence {
    func first<Key: Hashable>(by key: (Element) -> Key?) -> [Key: Element] {
        reduce(into: [:]) { found, element in if let key = key(element), found[key] == nil { found[key] = element } }
    }

    func last<Key: Hashable>(by key: (Element) -> Key?) -> [Key: Element] {
        reduce(into: [:]) { found, element in if let key = key(element) { found[key] = element } }
    }
}
