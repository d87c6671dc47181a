import Foundation
import Glibc
import KeyturnSystem
import MSAL

/// A temporary folder that only its owner can access (0700).
struct TemporaryFolder: Sendable {
    let path: String

    /// In `$TMPDIR` or `/tmp`.
    init(in environment: [String: String]) throws(Failure) {
        let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/keyturn-XXXXXX".utf8CString)
        // mkdtemp creates a new folder with 0700.
        guard mkdtemp(&template) != nil else {
            let code = errno
            throw Failure(
                .failed, name: "temporaryFolder",
                "Can't create a temporary folder in \(parent): \(systemReason(code)).",
                nextStep: SystemLimit(code: code) == nil ? "Set TMPDIR to a writable folder." : "")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Ignores errors, as it contains only demo tokens.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
