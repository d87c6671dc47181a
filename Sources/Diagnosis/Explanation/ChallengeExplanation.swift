import Foundation
import MSAL
import OAuthCore

/// Explains a challenge of a resource (`WWW-Authenticate`, RFC 6750 §3) or its claims request alone.
struct ChallengeExplanation {
    let explanation: Explanation
    let requiresClaims: Bool

    init?(_ pasted: String) {
        let text = pasted.trimmingCharacters(in: .whitespacesAndNewlines)
        if let claims = try? ClaimsRequest(challenge: text), !claims.isEmpty {
            explanation = Self.explanation([], claims)
            requiresClaims = true
            return
        }
        guard !text.contains(where: \.isNewline), let found = try? Challenge.parse(Challenge.fields(in: text)),
            let challenge = found.first(where: { $0.isBearer || $0.isDPoP || $0.scheme.lowercased() == "pop" }),
            !challenge.parameters.isEmpty
        else { return nil }
        let claims = try? challenge.claims()
        requiresClaims = claims.map { !$0.isEmpty } ?? false
        let plain = Self.explanation(
            [.init(title: "Challenge", rows: challenge.parameters.pairs.map { Explanation.Row($0) })]
                + ErrorDictionary.sections(of: challenge.parameters), claims)
        explanation = requiresClaims ? plain : Self.adding(challenge, to: plain)
    }

    private static func adding(_ challenge: Challenge, to plain: Explanation) -> Explanation {
        let text = challenge.errorDescription ?? ""
        let causes = CauseRules.causes(of: Evidence(LogFile(Array(text.utf8), hasOwnError: false)))
        guard let cause = causes.first, cause.strength <= .worded else { return plain }
        var explanation = plain
        explanation.findings = causes.enumerated().map { $1.finding(isFirst: $0 == 0) }
        explanation.cause = cause.id
        explanation.causeTicket = Ticket(cause, in: Evidence([]))
        return explanation
    }

    private static func explanation(_ sections: [Explanation.Section], _ claims: ClaimsRequest?) -> Explanation {
        let targets = ClaimsRequest.Target.allCases
        let names = targets.flatMap { claims?.claims(for: $0) ?? [] }.map { Privacy.name($0.name, hasValue: true) }
        let rows = targets.flatMap { target in
            (claims?.claims(for: target) ?? []).map { claim in
                Explanation.Row(
                    Privacy.name(claim.name, hasValue: true), value(claim),
                    meaning: ClaimDictionary.bundled.entry(forClaim: claim.name)?.meaning)
            }
        }
        let summary =
            names.isEmpty
            ? "A resource's challenge: it requires a token, or a different one."
            : "A claims challenge: the resource requires more claims (\(names.joined(separator: ", ")))."
        return Explanation(
            .challenge, summary, sections: sections + [.init(title: "Claims", rows: rows)],
            findings: names.isEmpty
                ? [] : [finding(claims), CheckFinding(named: "claims-not-in-cache")].compactMap(\.self))
    }

    /// Why conditional access rejects a token that is valid otherwise (continuous access evaluation).
    private static func finding(_ claims: ClaimsRequest?) -> CheckFinding? {
        let names = Set(claims?.claims(for: .accessToken).map(\.name) ?? [])
        let isRevoked = names == ["nbf"]
        guard isRevoked || names.contains("xms_rp_ipaddr") else { return nil }
        let code = isRevoked ? "TokenIssuedBeforeRevocationTimestamp" : "LocationConditionEvaluationSatisfied"
        return ErrorDictionary.bundled.entry(.phrase, code).map {
            CheckFinding($0.name ?? $0.code, .failed, $0.meaning, fix: $0.nextStep)
        }
    }

    private static func value(_ claim: ClaimsRequest.Claim) -> String {
        let values = [claim.details?.value].compactMap(\.self) + (claim.details?.values ?? [])
        let words = values.map { Privacy.text($0.string ?? $0.serialized, of: "error", for: .explanation) }
        return (words + (claim.details?.isEssential == true ? ["essential"] : [])).joined(separator: ", ")
    }
}

extension ErrorDictionary {
    /// The entries of the error, its suberror, and the numbers or the phrase in its description.
    static func sections(of parameters: Parameters) -> [Explanation.Section] {
        let named = [
            parameters["error"].flatMap { bundled.entry(.oauth, $0) },
            (parameters["suberror"] ?? parameters["error_subcode"]).flatMap { bundled.entry(.suberror, $0) },
        ]
        let text = parameters["error_description"] ?? ""
        let numbers = codes(in: text).map(\.entry)
        let phrases = ErrorText(response: text).mentions.map(\.entry).filter { $0.kind == .phrase }
        return (named + numbers + phrases).compactMap { $0.map { Explanation.Section($0) } }
    }
}
