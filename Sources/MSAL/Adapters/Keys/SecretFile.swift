import KeyturnSystem
import OAuthCore

enum SecretFile {
    private static let sizeLimit = 4096

    /// Throws for a file that other users can read, or replace. `kind`: what errors call it, such as "passphrase file".
    static func firstLine(of path: String, named kind: String) throws -> Secret {
        if let distrust = FileTrust.distrust(of: path) {
            throw KeyVaultFailure(
                .unsafePermissions, reason: "The \(kind) \(path) is not used: \(distrust.problem).",
                remedy: "\(distrust.remedy).")
        }
        var bytes: [UInt8]?
        defer { bytes?.erase() }
        bytes = try PrivateFile.read(path, atMost: sizeLimit)
        guard let bytes else {
            throw KeyVaultFailure(
                .missing, reason: "The \(kind) \(path) is missing.",
                remedy: "Restore it, or configure another one with the same content.")
        }
        guard bytes.count <= sizeLimit, let text = String(validating: bytes, as: UTF8.self) else {
            throw KeyVaultFailure(
                .malformed, reason: "The \(kind) \(path) is too long or not UTF-8.", remedy: "Correct it.")
        }
        return Secret(String(text.prefix { !$0.isNewline }))
    }
}
