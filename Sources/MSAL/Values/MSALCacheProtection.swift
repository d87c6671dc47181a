import Foundation

/// The protection of the token cache at rest. Not in MSAL for iOS and macOS.
public struct MSALCacheProtection: Sendable, Equatable {
    /// The location of the encryption key, or the reason why the cache isn't encrypted.
    public enum Kind: String, Sendable, CaseIterable {
        /// Encrypted; the key is in the desktop's keyring (freedesktop.org Secret Service).
        case keyring
        /// Encrypted; the key is derived from a passphrase at each opening.
        case passphrase
        /// Encrypted; the key is in a file that only its owner can read.
        case keyFile
        /// Unencrypted file that programs with other MSAL libraries share.
        case unifiedFile
        /// In memory; lost when the process exits.
        case memory
    }

    /// The kind of protection.
    public let kind: Kind
    /// The path of the cache file, or `nil` without a file.
    public let path: String?
    /// The location of the key and the reason for it, in one line.
    public let explanation: String

    /// The number of damaged records that were set aside. Signing out of an account deletes its damaged records.
    public let damagedRecords: Int

    /// The paths of damaged cache files that were set aside. They may still contain tokens.
    /// ``MSALPublicClientApplication/removeRemains()`` deletes them.
    public let setAsideFiles: [String]

    /// Creates a description of the protection.
    public init(kind: Kind, path: String?, explanation: String, damagedRecords: Int = 0, setAsideFiles: [String] = []) {
        (self.kind, self.path, self.explanation) = (kind, path, explanation)
        (self.damagedRecords, self.setAsideFiles) = (damagedRecords, setAsideFiles)
    }
}

/// The state of an account's cached tokens, without the tokens. Not in MSAL for iOS and macOS.
public struct MSALCachedTokens: Sendable, Equatable {
    /// The latest expiry of the access tokens, or `nil` without one.
    public let expiresOn: Date?
    /// Whether a refresh token of this application or its client family is cached.
    public let canRefresh: Bool
    /// Whether all tokens come from other applications of the client family.
    public let isFromOtherApplication: Bool
    /// When the user signed in, or `nil` if it is unknown.
    public let signedInOn: Date?
    /// When the sign-in ends at the latest, or `nil` if the authority never said.
    public let signInExpiry: MSALSignInExpiry?

    /// Whether the server states no expiry of an access token. ``expiresOn`` is then the end of the year 9999.
    public var lastsUntilRejected: Bool { expiresOn == .unstatedExpiry }

    /// Creates the state of an account's tokens.
    public init(
        expiresOn: Date?, canRefresh: Bool, isFromOtherApplication: Bool, signedInOn: Date? = nil,
        signInExpiry: MSALSignInExpiry? = nil
    ) {
        (self.expiresOn, self.canRefresh) = (expiresOn, canRefresh)
        (self.isFromOtherApplication, self.signedInOn) = (isFromOtherApplication, signedInOn)
        self.signInExpiry = signInExpiry
    }

    /// Without times that can't be right, because the clock was set back since.
    func counted(by now: Date) -> MSALCachedTokens {
        let isKnown = signedInOn.map { $0 <= now } ?? true
        let expiry = signInExpiry?.ifCounted(by: now)
        if isKnown, expiry == signInExpiry { return self }
        return MSALCachedTokens(
            expiresOn: expiresOn, canRefresh: canRefresh, isFromOtherApplication: isFromOtherApplication,
            signedInOn: isKnown ? signedInOn : nil, signInExpiry: expiry)
    }
}

extension Date {
    /// The expiry in the cache of a token whose server says nothing about it: the end of the year 9999.
    package static let unstatedExpiry = Date(timeIntervalSince1970: 253_402_300_799)

    /// The expiry, or `nil` if the server said nothing about it.
    package var ifStated: Date? { self < .unstatedExpiry ? self : nil }
}

/// The result of ``MSALPublicClientApplication/removeRemains()``. Not in MSAL for iOS and macOS.
public struct MSALRemovedRemains: Sendable, Equatable {
    /// The number of accounts that still had tokens of this application.
    public let accounts: Int
    /// The number of damaged records that were set aside.
    public let damagedRecords: Int
    /// The paths of damaged cache files that were set aside.
    public let setAsideFiles: [String]

    /// Creates a result.
    public init(accounts: Int, damagedRecords: Int, setAsideFiles: [String]) {
        (self.accounts, self.damagedRecords, self.setAsideFiles) = (accounts, damagedRecords, setAsideFiles)
    }
}
