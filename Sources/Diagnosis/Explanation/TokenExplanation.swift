import Foundation
import MSAL
import OAuthCore

/// Explains a JSON Web Token. The explanation omits the token and its signature. Verifies nothing, which would require the
/// authority's keys.
struct TokenExplanation {
    let explanation: Explanation

    /// `nil` if the text isn't a JOSE object, whose header always begins with `{"` (`eyJ` in base64url).
    init?(_ text: String, now: Date) {
        guard text.hasPrefix("eyJ"), !text.contains(where: \.isWhitespace) else { return nil }
        let parts = text.count(where: { $0 == "." }) + 1
        guard parts > 1 else { return nil }
        do throws(JWTMalformed) {
            let token = try JWT(parsing: text)
            explanation = Explanation(
                .token, Self.summary(token), sections: Self.sections(text),
                findings: TokenFindings(token: token, now: now).all)
        } catch {
            explanation = Explanation(
                .token, parts == 5 ? "An encrypted token (JWE). Only its recipient can read it." : error.sentence,
                findings: parts == 5
                    ? [] : [CheckFinding("Form", .failed, error.sentence, fix: "Copy the whole token again.")])
        }
    }

    private static func sections(_ text: String) -> [Explanation.Section] {
        guard let token = MSALDecodedToken(text) else { return [] }
        let dictionary = ClaimDictionary.bundled
        return [
            .init(title: "Header", rows: token.header.map { row($0, dictionary.entry(forHeader: $0.name)) }),
            .init(title: "Claims", rows: token.claims.map { row($0, dictionary.entry(forClaim: $0.name)) }),
        ]
    }

    private static func row(_ claim: MSALTokenClaim, _ entry: ClaimDictionary.Entry?) -> Explanation.Row {
        .init(claim.name, claim.text, date: claim.date, meaning: entry?.meaning, source: entry?.source)
    }

    private static func summary(_ token: JWT) -> String {
        let issuer = token.claims.issuer.map { " from \($0)" } ?? ""
        if token.isAccessToken {
            let audience = token.claims.audiences?.first.map { " for \($0)" } ?? ""
            return "An access token\(audience)\(issuer). Not verified."
        }
        if token.isIDToken {
            return "An ID token\(issuer), which identifies the user to the client. An API must reject it. Not verified."
        }
        return "A JSON Web Token (JWT)\(issuer). Not verified."
    }
}

/// Findings about a token without its keys and its request.
struct TokenFindings {
    let token: JWT
    let now: Date

    var all: [CheckFinding] { [algorithm, life, notYet, issuer, audience].compactMap(\.self) }

    private var algorithm: CheckFinding? {
        switch token.algorithm?.lowercased() {
        case nil:
            CheckFinding("alg", .failed, "The header names no algorithm.", fix: "Don't trust this token.")
        case "none":
            CheckFinding(
                "alg", .failed, "Not signed (alg is none): anyone can forge it.",
                fix: "Don't trust this token.")
        case let name? where name.hasPrefix("hs"):
            CheckFinding(
                "alg", .warning, "Signed with a shared secret, which a desktop program can't keep.",
                fix: "Configure the authority to sign with a key pair, for example RS256.")
        default: nil
        }
    }

    private var life: CheckFinding? {
        guard let expiry = token.claims.expiry else {
            return CheckFinding(
                "exp", .warning, "Missing: the token doesn't expire.", fix: "Tell the authority's operator.")
        }
        if expiry <= now {
            return CheckFinding("exp", .warning, "Expired.", fix: "Get a new token from its issuer.")
        }
        return CheckFinding("exp", .passed, "Not expired.")
    }

    private var notYet: CheckFinding? {
        let start = [token.claims.notBefore, token.claims.issuedAt].compactMap(\.self).max()
        // Tolerates a normal difference between clocks.
        guard let start, start.timeIntervalSince(now) > 60 else { return nil }
        return CheckFinding(
            "nbf", .warning, "Not valid yet: this computer's clock is behind, or the authority's is ahead.",
            fix: "Synchronise the clock: timedatectl set-ntp true.")
    }

    private var issuer: CheckFinding? {
        guard let issuer = token.claims.issuer else {
            return CheckFinding(
                "iss", .warning, "Missing: the issuer is unknown.", fix: "Tell the authority's operator.")
        }
        guard !issuer.lowercased().hasPrefix("http:") || URL(string: issuer).map(\.isLoopback) ?? false else {
            return CheckFinding(
                "iss", .failed, "The issuer isn't an https URL.", fix: "Tell the authority's operator.")
        }
        return nil
    }

    private var audience: CheckFinding? {
        guard token.payload["aud"] == nil else { return nil }
        return CheckFinding(
            "aud", .warning, "Missing: any recipient can accept the token.",
            fix: "Tell the authority's operator.")
    }
}
