import AuthEngine
import Foundation
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
        if token.header["typ"]?.string?.lowercased() == "at+jwt" || token.payload["scp"] != nil
            || token.payload["scope"] != nil
        {
            return "An access token\(issuer), for its resource. Not verified."
        }
        if token.payload["nonce"] != nil || token.payload["at_hash"] != nil
            || token.payload["preferred_username"] != nil
        {
            return "An ID token\(issuer), which identifies the user. Not verified."
        }
        return "A signed token (JWT)\(issuer). Not verified."
    }
}
