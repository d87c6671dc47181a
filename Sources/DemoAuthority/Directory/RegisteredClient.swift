/// An application that the authority knows: a public client, which has no secret (RFC 6749 §2.1).
package struct RegisteredClient: Sendable, Equatable {
    package var id: String
    package var name: String
    package var redirectURIs: [String]
    /// What `/.default` means for this client before anybody consented to more: scope names of the default resource.
    package var staticScopes: [String]
    /// The family of clients that may use each other's refresh tokens.
    package var familyID: String?
}
