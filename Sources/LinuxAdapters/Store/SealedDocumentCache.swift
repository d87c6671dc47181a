import AuthEngine
import Foundation
import KeyturnCrypto
import OAuthCore

/// Documents as records of the token store: sealed as the tokens are, each bound to its address.
///
/// The store tells when a record was changed, so that a document which somebody else wrote decides nothing.
package struct SealedDocumentCache: DocumentCache {
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
}

extension CachedDocument {
    /// Base64url, because a document has a quotation mark in every line, and each would be escaped.
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
