import Foundation
import KeyturnCrypto

/// Documents in files, for a token cache that isn't encrypted either. File names are the SHA-256 of the URL.
///
/// A file has four header lines (format, URL, seconds since 1970, lifetime in seconds or empty), then the document. An
/// invalid file counts as absent.
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
