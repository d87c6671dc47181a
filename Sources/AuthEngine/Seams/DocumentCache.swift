import Foundation

/// Keeps public documents of authorities (discovery, keys) between runs, each with the time it was fetched.
///
/// They decide where refresh tokens go, so they are kept no worse than the tokens (docs/decisions/0028).
package protocol DocumentCache: Sendable {
    func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument?

    /// Replaces what is kept for the address; `nil` removes it.
    func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure)
}

package struct CachedDocument: Sendable, Equatable {
    package var body: [UInt8]
    package var fetchedAt: Date
    /// The seconds for which the authority allows the document to be used; `nil` when it does not say.
    package var lifetime: Double?

    package init(body: [UInt8], fetchedAt: Date, lifetime: Double? = nil) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.lifetime = lifetime
    }
}
