import Foundation
import KeyturnCrypto

/// The documents that servers under one CA file have sent. Applications with another CA file, or none, don't use them.
///
/// A document decides where tokens are sent and which keys sign them, so it is as trustworthy as the server it came from. Other
/// records, whose keys aren't URLs of servers, belong to all.
package struct TrustedDocumentCache: DocumentCache {
    private let cache: any DocumentCache
    private let mark: String

    package init(_ cache: any DocumentCache, authorities file: String) {
        self.cache = cache
        // The URL isn't encrypted, so it doesn't name the file.
        mark = "#ca-" + SHA2.sha256(Array(file.utf8)).prefix(8).hexadecimal
    }

    package func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? { try cache.load(own(url)) }

    package func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure) {
        try cache.save(document, for: own(url))
    }

    package func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] {
        try cache.urls(beginning: start)
    }

    private func own(_ url: URL) -> URL {
        guard url.scheme?.lowercased().hasPrefix("http") == true else { return url }
        return URL(string: url.absoluteString + mark) ?? url
    }
}
