/// An authority's assertion of who its user is, for another authority that trusts it (ID-JAG,
/// draft-ietf-oauth-identity-assertion-authz-grant).
package struct IdentityAssertion: Sendable, Equatable {
    package static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
    package static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    package static let type = "urn:ietf:params:oauth:token-type:id-jag"
    package static let subjectType = "urn:ietf:params:oauth:token-type:id_token"
    package static let headerType = "oauth-id-jag+jwt"

    package let text: Secret
    /// `nil` if it is encrypted, so that only its recipient can read it.
    private let signed: JWT?

    /// Parses the response of the token exchange (RFC 8693 §2.2.1). Another type of token is no assertion: an authority that calls
    /// its access token one would make us send that to the other authority.
    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = ResponseMembers(try response.members())
        let text = try members.required("access_token")
        guard text.isVisibleASCII else { throw .malformed(.notVisibleASCII(member: "access_token")) }
        let type = try members.required("issued_token_type")
        guard type == Self.type else { throw .malformed(.otherTokenType(expected: Self.type, found: type)) }
        let isEncrypted = text.split(separator: ".", omittingEmptySubsequences: false).count == 5
        signed = isEncrypted ? nil : try? JWT(parsing: text)
        let header = signed?.header["typ"]?.string
        guard isEncrypted || header?.lowercased() == Self.headerType else {
            throw .malformed(.otherTokenType(expected: Self.headerType, found: header))
        }
        self.text = Secret(text)
    }

    /// The authorities that it is for, or `nil` if it can't be read.
    package var audiences: [String]? { signed.map { $0.claims.audiences ?? [] } }
}
