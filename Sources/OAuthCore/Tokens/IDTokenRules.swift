import Foundation
import KeyturnCrypto

/// The validation rules for ID tokens (OpenID Connect Core §3.1.3.7).
///
/// Each rule gives a ``Verdict``; a token with a failed one is rejected. MSAL for iOS and macOS doesn't validate ID
/// tokens.
package struct IDTokenRules: Sendable {
    /// The input of the rules. A rule whose input is `nil` is skipped.
    package struct Input: Sendable, Equatable {
        package var token: JWT
        package var issuer: IssuerTemplate
        package var clientID: String
        /// This computer's clock.
        package var localTime: Date
        /// The authority's clock, from the `Date` field of the response.
        package var serverTime: Date?
        package var keys: JWKSet?
        /// The nonce of the request. A refresh has none.
        package var nonce: String?
        /// The nonce of the original sign-in, for a refresh (OpenID Connect Core §12.2).
        package var originalNonce: String?
        /// The access token in the same response.
        package var accessToken: Secret?
        /// The subject of the refreshed account (OpenID Connect Core §12.2).
        package var expectedSubject: String?
        /// The requested maximum age of the user's authentication in seconds (`max_age`).
        package var maximumAge: Int?
        /// The requested authentication contexts (`acr_values`).
        package var requestedContexts: [String] = []

        /// Where the token comes from. Only a response has the data of its request.
        package enum Origin: Sendable, Equatable {
            case response, cache
            /// A text of unknown origin, with its own audience as the client.
            case text
        }

        package var origin = Origin.response

        package init(token: JWT, issuer: IssuerTemplate, clientID: String, localTime: Date) {
            self.token = token
            self.issuer = issuer
            self.clientID = clientID
            self.localTime = localTime
        }

        /// The clock to compare with.
        var now: Date { serverTime ?? localTime }
        var claims: IDTokenClaims { token.claims }

        /// A GUID may be registered, and configured, in other letter case than the authority writes it.
        func isClient(_ name: String) -> Bool {
            name == clientID || UUID(uuidString: name).map { $0 == UUID(uuidString: clientID) } ?? false
        }
    }

    /// The accepted signature algorithms. Excludes `none` and shared secrets (`HS…`), which a public client doesn't
    /// have.
    package var algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
    /// The tolerated difference between the clocks of the authority's servers, in seconds.
    package var tolerance: Double = 300
    /// The difference in seconds between this computer's clock and the authority's that causes a warning.
    package var skewWorthAWarning: Double = 60

    /// Masks secrets in a value of the token. A server can repeat there what it received.
    package var mask: @Sendable (String) -> String

    package init(mask: @escaping @Sendable (String) -> String = { $0 }) { self.mask = mask }

    /// Validates a token. Returns one verdict per rule, in the order of ``Verdict/Rule``.
    package func judge(_ input: Input) -> [Verdict] {
        Verdict.Rule.allCases.map { rule in
            let (outcome, explanation): Finding =
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
            return Verdict(rule, outcome, explanation)
        }
    }

    typealias Finding = (outcome: Verdict.Outcome, explanation: String)

    /// A claim's value in quotation marks, for a sentence: masked, without control characters, and shortened.
    func quoted(_ text: String) -> String {
        // Masked before it is cut, because the start of a secret isn't recognised.
        let text = mask(text).withoutControls.replacing("\"", with: "'")
        return text.count <= 120 ? "\"\(text)\"" : "\"\(text.prefix(120))\u{2026}\""
    }
}
