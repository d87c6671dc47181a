import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

extension PassphraseKeyVault {
    package init(
        _ passphrase: MSALCachePassphrase, cost: Scrypt.Cost = .interactive, random: any RandomBytes = SystemRandom()
    ) {
        self.init(cost: cost, random: random) { try passphrase.text() }
    }
}

extension MSALCachePassphrase {
    private static let fileSizeLimit = 4096

    fileprivate func text() throws -> Secret {
        switch self {
        case .file(let file): return try Self.firstLine(of: file.path)
        case .provider(let provide):
            do {
                return Secret(try provide())
            } catch {
                throw KeyVaultFailure(
                    .missing, reason: "The program did not provide the token cache's passphrase (\(type(of: error))).")
            }
        }
    }

    private static func firstLine(of path: String) throws -> Secret {
        if let distrust = FileTrust.distrust(of: path) {
            throw KeyVaultFailure(
                .unsafePermissions,
                reason: "The passphrase file \(path) is not used: \(distrust.problem).",
                remedy: "\(distrust.remedy).")
        }
        var bytes: [UInt8]?
        defer { bytes?.erase() }
        bytes = try PrivateFile.read(path, atMost: fileSizeLimit)
        guard let bytes else {
            throw KeyVaultFailure(
                .missing, reason: "The passphrase file \(path) is missing.",
                remedy: "Restore it, or configure another one with the same passphrase.")
        }
        guard bytes.count <= fileSizeLimit, let text = String(validating: bytes, as: UTF8.self) else {
            throw KeyVaultFailure(
                .malformed, reason: "The passphrase file \(path) is too long or not UTF-8.", remedy: "Correct it.")
        }
        return Secret(String(text.prefix { !$0.isNewline }))
    }
}
