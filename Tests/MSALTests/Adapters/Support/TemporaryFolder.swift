import Foundation

/// A folder for one test, readable by its owner only and removed with this value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "keyturn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    func permissions(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name.isEmpty ? url.path : file(name).path)
        return attributes[.posixPermissions] as? Int ?? -1
    }

    /// Writes a file that only its owner can read.
    func place(_ name: String, _ content: Data) throws {
        try content.write(to: file(name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name).path)
    }

    /// The command of a program for a test. The shell reads the program: a new file may still be open for writing in a
    /// child that starts elsewhere, and then cannot be executed.
    func script(_ name: String, _ text: String) throws -> String {
        try Data("\(text)\n".utf8).write(to: file(name))
        return "sh \(file(name).path)"
    }
}
