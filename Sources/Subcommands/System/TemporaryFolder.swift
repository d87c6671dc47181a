import Foundation
import Glibc

/// A folder that nobody else can look into (0700), for what shall not outlive the program.
struct TemporaryFolder: Sendable {
    let path: String

    /// Makes it under `$TMPDIR`, else `/tmp`.
    init(in environment: [String: String]) throws(CommandFailure) {
        let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(parent)/keyturn-XXXXXX".utf8CString)
        // mkdtemp makes the folder with 0700 and fails rather than use one that is there.
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                .failed, name: "temporaryFolder", "No folder for temporary files can be made in \(parent): \(reason).",
                nextStep: "Set TMPDIR to a folder you can write to.")
        }
        path = template.withUnsafeBufferPointer {
            String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Best effort on the way out: a folder that cannot be removed holds nothing but throw-away tokens of a demo.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
