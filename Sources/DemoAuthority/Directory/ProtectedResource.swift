/// An API that access tokens are for.
package struct ProtectedResource: Sendable, Equatable {
    /// What can be asked for at a resource.
    package struct Scope: Sendable, Equatable {
        package var name: String
        /// What the consent page says about it.
        package var title: String
        package var explanation: String
    }

    /// The `aud` of its access tokens and the prefix of its scopes when written in full.
    package var identifier: String
    package var name: String
    package var scopes: [Scope]

    func scope(named name: some StringProtocol) -> Scope? {
        scopes.first { $0.name.lowercased() == name.lowercased() }
    }
}
