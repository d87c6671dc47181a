import AuthEngine
import Foundation
import OAuthCore

/// What a JSON Web Token says. Neither the token nor its signature is in the explanation, and nothing is verified: that
/// takes the authority's keys.
struct TokenExplanation {
    let explanation: Explanation

    /// `nil` when the text does not look like one: the header of every JOSE object begins with `{"`, which is `eyJ`.
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
                .token, parts == 5 ? "An encrypted token (JWE): only whom it is for can read it." : error.sentence,
                findings: parts == 5
                    ? [] : [CheckFinding("Form", .wrong, error.sentence, fix: "Copy the token again, whole.")])
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
            return "An access token\(issuer): for its resource to read. Not verified here."
        }
        if token.payload["nonce"] != nil || token.payload["at_hash"] != nil
            || token.payload["preferred_username"] != nil
        {
            return "An ID token\(issuer): it tells the application who signed in. Not verified here."
        }
        return "A signed token (JWT)\(issuer). Not verified here."
    }
}

extension JWTMalformed {
    /// What is wrong with the text, with nothing of it.
    fileprivate var sentence: String {
        switch self {
        case .tooLong(let limit): "This is longer than \(limit / 1024) KiB, which no token is."
        case .partCount(let count): "This has \(count) parts; a signed token has three."
        case .notBase64URL(let part): "The \(part.rawValue) is not base64url: something was changed or lost."
        case .notJSONObject(let part): "The \(part.rawValue) is not a JSON object: something was changed or lost."
        case .repeatedMember(let part): "The \(part.rawValue) has two members of one name (RFC 7515 §4)."
        case .criticalExtensions: "The header demands extensions that are not known here (crit, RFC 7515 §4.1.11)."
        }
    }
}
