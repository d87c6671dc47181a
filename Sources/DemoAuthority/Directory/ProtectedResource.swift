/// An API that access tokens are for.
package struct ProtectedResource: Sendable, Equatable {
    /// A permission of a resource.
    package struct Scope: Sendable, Equatable {
        package var name: String
        /// The explanation on the consent page.
        package var title: String
        package var explanation: String
    }

    /// The `aud` of its access tokens, and the prefix of its full scope names.
    package var identifier: String
    package var name: String
    package var scopes: [Scope]

    func scope(named name: some StringProtocol) -> Scope? {
        scopes.first { $0.name.lowercased() == name.lowercased() }
    }
}
