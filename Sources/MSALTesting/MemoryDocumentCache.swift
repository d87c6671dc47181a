import AuthEngine
import Foundation
import Locks

/// A document cache in memory.
package final class MemoryDocumentCache: DocumentCache {
    private let documents = Locked<[URL: CachedDocument]>([:])

    package init() {}

    package func load(_ url: URL) -> CachedDocument? { documents.withLock { $0[url] } }

    package func save(_ document: CachedDocument?, for url: URL) { documents.withLock { $0[url] = document } }
}
