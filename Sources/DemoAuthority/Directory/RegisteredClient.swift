/// A registered application: a public client without a secret (RFC 6749 §2.1).
package struct RegisteredClient: Sendable, Equatable {
    package var id: String
    package var name: String
    package var redirectURIs: [String]
    /// The scopes that `/.default` represents before any consent, as names of the default resource.
    package var staticScopes: [String]
    /// The family of clients that share refresh tokens.
    package var familyID: String?
}
