import Foundation
import KeyturnCrypto

/// The rules an ID token must keep before anyone believes it (OpenID Connect Core §3.1.3.7).
///
/// Each rule gives one ``Verdict``; a token with a failed one is refused. Upstream judges none of this.
package struct IDTokenRules: Sendable, Equatable {
    /// Everything the rules look at. What is `nil` cannot be checked, and the verdict says so.
    package struct Input: Sendable, Equatable {
        package var token: JWT
        package var issuer: IssuerTemplate
        package var clientID: String
        /// This computer's clock.
        package var localTime: Date
        /// The authority's clock, by the `Date` field of the answer that brought the token.
        package var serverTime: Date?
        package var keys: JWKSet?
        /// The nonce of the request. A refresh sends none.
        package var nonce: String?
        /// The access token of the same answer.
        package var accessToken: Secret?
        /// Who the token must be about: the person whose refresh token was used (§12.2).
        package var expectedSubject: String?
        /// Seconds since the person's last authentication that were asked for (`max_age`).
        package var maximumAge: Int?
        /// The authentication contexts asked for (`acr_values`).
        package var requestedContexts: [String] = []

        /// It is read from the cache: what its request and the rest of its response said is not kept.
        package var isStored = false

        package init(token: JWT, issuer: IssuerTemplate, clientID: String, localTime: Date) {
            self.token = token
            self.issuer = issuer
            self.clientID = clientID
            self.localTime = localTime
        }

        /// The clock that counts.
        var now: Date { serverTime ?? localTime }
        var claims: IDTokenClaims { token.claims }
    }

    /// Signatures that are accepted. Never `none`, never a shared secret (`HS…`): a public client has none.
    package var algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
    /// Seconds by which the clocks of the authority's own servers may differ.
    package var tolerance: Double = 300
    /// Seconds by which this computer's clock may differ from the authority's before it is worth a word.
    package var skewWorthAWarning: Double = 60

    package init() {}

    /// One verdict for each rule, in the order of ``Verdict/Rule``.
    package func judge(_ input: Input) -> [Verdict] {
        Verdict.Rule.allCases.map { rule in
            switch rule {
            case .signature: signature(input)
            case .issuer: issuer(input)
            case .audience: audience(input)
            case .authorizedParty: authorizedParty(input)
            case .subject: subject(input)
            case .nonce: nonce(input)
            case .expiry: expiry(input)
            case .notBefore: notBefore(input)
            case .issuedAt: issuedAt(input)
            case .accessTokenHash: accessTokenHash(input)
            case .authenticationTime: authenticationTime(input)
            case .authenticationContext: authenticationContext(input)
            case .clock: clock(input)
            }
        }
    }

    /// A value of a claim as it may stand in a sentence that any program may print: what the server sent, but not all of it.
    static func quoted(_ text: String) -> String {
        let text = text.withoutControls
        return text.count <= 120 ? "\u{201C}\(text)\u{201D}" : "\u{201C}\(text.prefix(120))\u{2026}\u{201D}"
    }
}
