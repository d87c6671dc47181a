import Foundation

extension CredentialStoreFailure {
    package var nextStep: String { remedy ?? kind.nextStep(repeating: "try again") }

    /// Whether the store has set the cause aside, so that the next try succeeds.
    var mendsItself: Bool {
        switch kind {
        case .setAside, .damagedRecords: true
        case .foundDamaged, .notAsLeft, .unsafePermissions, .keyUnavailable, .busy, .unsupported, .io: false
        }
    }

    /// The failure to save tokens that the authority has already issued.
    func losing(_ loss: LostTokens) -> CredentialStoreFailure {
        let consequence =
            switch loss {
            case .signIn: " The cache lacks this sign-in."
            case .refreshToken: " The cached refresh token is spent, so expect a sign-in at the next refresh."
            case .accessToken: ""
            }
        return CredentialStoreFailure(
            kind, reason: "The new tokens could not be cached. \(reason)\(consequence)",
            remedy: remedy ?? kind.nextStep(repeating: loss == .accessToken ? "try again" : "sign in again"))
    }
}

/// What is lost if the tokens of a response can't be saved.
enum LostTokens {
    case signIn
    /// The successor of the refresh token that was redeemed, which may be valid for one use only.
    case refreshToken
    /// The redeemed refresh token stays valid, because the authority issued no other.
    case accessToken
}

extension CredentialStoreFailureKind {
    /// The equivalent keychain status (Apple's Security framework, `SecBase.h`).
    var status: Int {
        switch self {
        case .setAside, .damagedRecords, .foundDamaged: -26275  // errSecDecode
        case .notAsLeft: -25295  // errSecInvalidKeychain
        case .unsafePermissions: -61  // errSecWrPerm
        case .keyUnavailable: -25308  // errSecInteractionNotAllowed
        case .busy: -25291  // errSecNotAvailable
        case .unsupported, .io: -36  // errSecIO
        }
    }

    var headline: String {
        switch self {
        case .setAside, .damagedRecords, .foundDamaged: "The token cache is damaged."
        case .notAsLeft: "The token cache may have been replaced."
        case .unsafePermissions: "A credential file isn't safe."
        case .keyUnavailable: "The token cache's key isn't available."
        case .busy: "The token cache is busy."
        case .unsupported, .io: "The token cache can't be used."
        }
    }

    fileprivate func nextStep(repeating step: String) -> String {
        switch self {
        case .setAside(let name): "The file is now \(name). Restore a backup, or sign in again to create a new cache."
        case .damagedRecords:
            "Try again: the rest of the cache is intact. Accounts whose tokens were set aside must sign in again."
        case .foundDamaged:
            "Nothing was changed. Restore a backup; otherwise the next sign-in sets the damaged entries aside."
        case .notAsLeft:
            "If you restored or replaced it yourself, run 'keyturn check --accept-cache'. If not, move all cache "
                + "files away and sign in again."
        case .unsafePermissions: "Keep the file (mode 0600) in a private folder (mode 0700)."
        case .keyUnavailable: "Restore the key. If it is lost, move all cache files away and sign in again."
        case .busy: "Wait a moment, then \(step)."
        case .unsupported: "Configure another file, or use the program that wrote it."
        case .io: "Check the disk's free space and the permissions of the folder, then \(step)."
        }
    }
}
