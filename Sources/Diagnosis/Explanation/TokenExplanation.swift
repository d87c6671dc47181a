import Foundation
import MSAL
import OAuthCore

/// Omits the token and its signature. Verifies nothing, which would require the authority's keys.
extension Explanation {
    /// `nil` if the text isn't a JOSE object, whose header always begins with `{"` (`eyJ` in base64url).
    init?(token text: String, now: Date) {
        guard text.hasPrefix("eyJ"), !text.contains(where: \.isWhitespace) else { return nil }
        let parts = text.count(where: { $0 == "." }) + 1
        guard parts > 1 else { return nil }
        do throws(JWTMalformed) {
            let token = try JWT(parsing: text)
            self.init(
                .token, Self.summary(token), sections: Self.sections(text),
                findings: TokenFindings(token: token, now: now).all)
        } catch {
            self.init(
                .token, parts == 5 ? "An encrypted token (JWE). Only its recipient can read it." : error.sentence,
                findings: parts == 5 ? [] : [CheckFinding(named: "token-malformed", error.sentence)])
        }
    }

    private static func sections(_ text: String) -> [Section] {
        guard let token = MSALDecodedToken(text) else { return [] }
        let dictionary = ClaimDictionary.bundled
        return [
            .init(title: "Header", rows: token.header.map { row($0, dictionary.entry(forHeader: $0.name)) }),
            .init(title: "Claims", rows: token.claims.map { row($0, dictionary.entry(forClaim: $0.name)) }),
        ]
    }

    private static func row(_ claim: MSALTokenClaim, _ entry: ClaimDictionary.Entry?) -> Row {
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

struct TokenFindings {
    let token: JWT
    let now: Date

    var all: [CheckFinding] {
        // Tolerates a normal difference between clocks.
        let start = [token.claims.notBefore, token.claims.issuedAt].compactMap(\.self).max()
        return [
            algorithm, life,
            CheckFinding("token-not-yet-valid", if: start.map { $0.timeIntervalSince(now) > 60 } ?? false),
            CheckFinding("token-without-issuer", if: token.claims.issuer == nil),
            CheckFinding("token-issuer-unencrypted", if: token.claims.issuer.map(Self.isUnencrypted) ?? false),
            CheckFinding("token-without-audience", if: token.payload["aud"] == nil),
        ].compactMap(\.self)
    }

    private var algorithm: CheckFinding? {
        switch token.algorithm?.lowercased() {
        case nil: CheckFinding(named: "token-without-algorithm")
        case "none": CheckFinding(named: "token-unsigned")
        case let name?: CheckFinding("token-shared-secret", if: name.hasPrefix("hs"))
        }
    }

    private var life: CheckFinding {
        guard let expiry = token.claims.expiry else { return CheckFinding(named: "token-without-expiry") }
        return CheckFinding(named: expiry <= now ? "token-has-expired" : "token-in-time")
    }

    private static func isUnencrypted(_ issuer: String) -> Bool {
        issuer.lowercased().hasPrefix("http:") && URL(string: issuer).map { !$0.isLoopback } ?? true
    }
}
