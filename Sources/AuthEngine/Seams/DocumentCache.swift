import Foundation

/// Stores public documents of authorities (discovery, keys) with the time of their retrieval.
///
/// They decide where refresh tokens are sent, so they need the same protection as tokens (docs/decisions/0028).
package protocol DocumentCache: Sendable {
    func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument?

    /// Replaces the document of a URL; `nil` removes it.
    func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure)
}

package struct CachedDocument: Sendable, Equatable {
    package var body: [UInt8]
    package var fetchedAt: Date
    /// The lifetime that the authority allows, in seconds, or `nil` if it states none.
    package var lifetime: Double?

    package init(body: [UInt8], fetchedAt: Date, lifetime: Double? = nil) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.lifetime = lifetime
    }
}
