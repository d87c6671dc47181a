import Foundation
import KeyturnCrypto

/// Documents in files, for a token cache that isn't encrypted either. File names are the SHA-256 of the URL.
///
/// A file has four header lines (format, URL, seconds since 1970, lifetime in seconds or empty), then the document. An
/// invalid file counts as absent.
package struct FileDocumentCache: DocumentCache {
    private static let format = "keyturn-document-2"
    private static let sizeLimit = 2 << 20
    private let directory: URL
    private let isReadOnly: Bool

    package init(directory: URL, isReadOnly: Bool = false) {
        self.directory = directory
        self.isReadOnly = isReadOnly
    }

    package func load(_ url: URL) -> CachedDocument? {
        guard (try? PrivateFile.checkFolder(directory.path(percentEncoded: false))) == true,
            let file = try? PrivateFile.read(path(of: url), atMost: Self.sizeLimit), file.count <= Self.sizeLimit
        else { return nil }
        let parts = file.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, Array(parts[0]) == Array(Self.format.utf8),
            Array(parts[1]) == Array(url.absoluteString.utf8),
            let seconds = Double(String(decoding: parts[2], as: UTF8.self)), seconds.isFinite
        else { return nil }
        return CachedDocument(
            body: Array(parts[4]), fetchedAt: Date(timeIntervalSince1970: seconds),
            lifetime: Double(String(decoding: parts[3], as: UTF8.self)))
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
        let folder = directory.path(percentEncoded: false)
        guard (try? PrivateFile.checkFolder(folder)) == true else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            let file = try? PrivateFile.read(
                directory.appending(path: name).path(percentEncoded: false), atMost: Self.sizeLimit)
            let lines = file?.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false) ?? []
            guard lines.count == 3, case let url = String(decoding: lines[1], as: UTF8.self), url.hasPrefix(start)
            else {
                return nil
            }
            return URL(string: url)
        }
    }

    private func path(of url: URL) -> String {
        let name = SHA2.sha256(Array(url.absoluteString.utf8)).hexadecimal
        return directory.appending(path: name).path(percentEncoded: false)
    }
}
