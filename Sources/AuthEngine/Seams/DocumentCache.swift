import Foundation

/// Keeps public documents of authorities (discovery, keys) between runs, each with the time it was fetched.
package protocol DocumentCache: Sendable {
    func load(_ url: URL) -> CachedDocument?

    /// Best effort: a document that cannot be kept is fetched again next time.
    func save(_ document: CachedDocument, for url: URL)
}

package struct CachedDocument: Sendable, Equatable {
    package var body: [UInt8]
    package var fetchedAt: Date

    package init(body: [UInt8], fetchedAt: Date) {
        self.body = body
        self.fetchedAt = fetchedAt
    }
}
