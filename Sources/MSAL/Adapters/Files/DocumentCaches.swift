import Foundation
import KeyturnCrypto
import OAuthCore

/// Documents in files, for a token cache that isn't encrypted either. File names are the SHA-256 of the URL. A file has
/// four header lines (format, URL, seconds since 1970, lifetime in seconds or empty), then the document. An invalid
/// file counts as absent.
package struct FileDocumentCache: DocumentCache {
    private static let format = "keyturn-document-2"
    private static let sizeLimit = 2 << 20
    let directory: URL
    var isReadOnly = false

    package func load(_ url: URL) -> CachedDocument? {
        guard isUsable, let (address, document) = Self.read(path(of: url)), address == url.absoluteString else {
            return nil
        }
        return document
    }

    private var isUsable: Bool { (try? PrivateFile.checkFolder(directory.path(percentEncoded: false))) == true }

    private static func read(_ path: String) -> (url: String, document: CachedDocument)? {
        guard let file = try? PrivateFile.read(path, atMost: sizeLimit), file.count <= sizeLimit else { return nil }
        let parts = file.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, Array(parts[0]) == Array(format.utf8),
            let seconds = Double(String(decoding: parts[2], as: UTF8.self)), seconds.isFinite
        else { return nil }
        let document = CachedDocument(
            body: Array(parts[4]), fetchedAt: Date(timeIntervalSince1970: seconds),
            lifetime: Double(String(decoding: parts[3], as: UTF8.self)))
        return (String(decoding: parts[1], as: UTF8.self), document)
    }

    package func save(_ document: CachedDocument?, for url: URL) {
        if isReadOnly { return }
        let path = path(of: url)
        guard let document else {
            unlink(path)
            return
        }
        let lifetime = document.lifetime.map { "\($0)" } ?? ""
        let head = "\(Self.format)\n\(url.absoluteString)\n\(document.fetchedAt.timeIntervalSince1970)\n\(lifetime)\n"
        do throws(PrivateFile.Failure) {
            try PrivateFile.prepareFolder(directory.path(percentEncoded: false))
            try PrivateFile.write(Array(head.utf8) + document.body, to: path)
        } catch {
            // A document that can't be stored is fetched again.
        }
    }

    package func urls(beginning start: String) -> [URL] {
        guard isUsable else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))) ?? []
        return names.sorted().compactMap { Self.read(directory.appending(path: $0).path(percentEncoded: false))?.url }
            .filter { $0.hasPrefix(start) }.compactMap { URL(string: $0) }
    }

    private func path(of url: URL) -> String {
        let name = SHA2.sha256(Array(url.absoluteString.utf8)).hexadecimal
        return directory.appending(path: name).path(percentEncoded: false)
    }
}

/// Documents as encrypted records, each bound to its URL, so that another program can't replace a document.
package struct EncryptedDocumentCache: DocumentCache {
    private let store: any CredentialStore

    package init(_ store: any CredentialStore) { self.store = store }

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

/// Keeps apart what servers under one CA file have sent: documents decide where tokens are sent and which keys sign
/// them, so they are as trustworthy as their servers. Records whose keys aren't URLs of servers belong to all.
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
