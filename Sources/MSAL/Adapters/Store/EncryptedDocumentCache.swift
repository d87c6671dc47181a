import Foundation
import KeyturnCrypto
import OAuthCore

/// Documents as encrypted records of the token store, each bound to its URL.
///
/// The store detects changed records, so that another program can't replace a document.
package struct EncryptedDocumentCache: DocumentCache {
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) {
        self.store = store
    }

    package func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? {
        let query = CredentialQuery(kinds: [.document], homeAccountIDs: [""], target: url.absoluteString)
        return try store.records(matching: query).first.flatMap(CachedDocument.init)
    }

    package func save(_ document: CachedDocument?, for url: URL) throws(CredentialStoreFailure) {
        let key = CredentialKey(.document, target: url.absoluteString)
        let change = document.map { CredentialChange.save(CredentialRecord(key, $0.members)) } ?? .delete(key)
        try store.update(matching: CredentialQuery(kinds: [])) { _ in [change] }
    }

    package func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] {
        try store.records(matching: CredentialQuery(kinds: [.document], homeAccountIDs: [""])).map(\.key.target)
            .filter { $0.hasPrefix(start) }.compactMap { URL(string: $0) }
    }
}

extension CachedDocument {
    /// Base64url, because JSON would escape the document's many quotation marks.
    fileprivate var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "body": .string(Base64URL.encode(body)), "fetched_at": .number(fetchedAt.timeIntervalSince1970),
        ]
        members["lifetime"] = lifetime.map(JSONValue.number)
        return members
    }

    fileprivate init?(_ record: CredentialRecord) {
        guard let body = record.members["body"]?.string.flatMap({ Base64URL.decode($0) }),
            let fetchedAt = record.members["fetched_at"]?.double
        else { return nil }
        self.init(
            body: body, fetchedAt: Date(timeIntervalSince1970: fetchedAt), lifetime: record.members["lifetime"]?.double)
    }
}
