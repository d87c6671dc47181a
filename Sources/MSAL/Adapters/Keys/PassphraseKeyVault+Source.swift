import Foundation
import KeyturnCrypto
import OAuthCore

extension PassphraseKeyVault {
    package init(
        _ passphrase: MSALCachePassphrase, cost: Scrypt.Cost = .interactive, random: any RandomBytes = SystemRandom()
    ) {
        self.init(cost: cost, random: random) { try passphrase.text() }
    }
}

extension MSALCachePassphrase {
    fileprivate func text() throws -> Secret {
        switch self {
        case .file(let file): return try SecretFile.firstLine(of: file.path, named: "passphrase file")
        case .provider(let provide):
            do {
                return Secret(try provide())
            } catch {
                throw KeyVaultFailure(
                    .missing, reason: "The program did not provide the token cache's passphrase (\(type(of: error))).")
            }
        }
    }
}
