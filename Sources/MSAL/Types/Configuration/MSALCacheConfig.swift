import Foundation

/// The location and protection of the token cache (MSAL for iOS and macOS, `MSALCacheConfig`).
public final class MSALCacheConfig: NSObject, NSCopying {
    /// The name of the cache. Applications with the same group share a cache.
    public var keychainSharingGroup: String

    /// The format of the cache. Not in MSAL for iOS and macOS.
    public var kind: MSALCacheKind = .encrypted

    /// The file of an encrypted cache (default: `$XDG_STATE_HOME/keyturn/<sharing group>.db`). Not in MSAL for iOS and
    /// macOS.
    public var storeURL: URL?

    /// The folder for public documents of authorities beside a unified cache (default: `$XDG_CACHE_HOME/keyturn`). Not
    /// in MSAL for iOS and macOS.
    ///
    /// An encrypted cache stores these documents itself.
    public var metadataDirectory: URL?

    /// Other stores of accounts, in the order in which the library queries them.
    public private(set) var externalAccountProviders: [any MSALExternalAccountProviding] = []

    /// Caches that ADAL left: `accessTokens.json`, or the file of ADAL .NET. Not in MSAL for iOS and macOS.
    ///
    /// The library finds their users by username and migrates a user's tokens at the first silent request. It doesn't
    /// change the files.
    public var adalCacheFiles: [URL] = []

    /// An ADAL cache that the program itself loads and saves.
    public var serializedADALCache: MSALSerializedADALCacheProvider?

    /// The source of the key that encrypts the cache. Not in MSAL for iOS and macOS.
    public var keySource: MSALCacheKeySource = .automatic

    /// The passphrase of a cache that is encrypted with one. Not in MSAL for iOS and macOS.
    public var passphrase: MSALCachePassphrase?

    /// The old passphrase of the cache, while you change it. Not in MSAL for iOS and macOS.
    ///
    /// When this passphrase opens the cache and ``passphrase`` doesn't, the library encrypts the cache again under
    /// ``passphrase`` and keeps its content.
    public var previousPassphrase: MSALCachePassphrase?

    /// Whether to accept a cache that was replaced, for example by a restored backup (default: `false`). Not in MSAL
    /// for iOS and macOS.
    public var acceptsReplacedStore = false

    /// Only to inspect: no file changes, writes are discarded, and damage is reported but not repaired.
    package var isLookedAtOnly = false

    package init(keychainSharingGroup: String = MSALCacheConfig.defaultKeychainSharingGroup()) {
        self.keychainSharingGroup = keychainSharingGroup
    }

    /// Whether a name is usable as a sharing group: it has to be a plain file name in the folder of caches.
    package static func isSharingGroup(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }

    /// Returns the default sharing group.
    @discardableResult
    public class func defaultKeychainSharingGroup() -> String { "com.microsoft.identity.universalstorage" }

    /// Adds a store of accounts. Call this before creating the application; not thread-safe.
    public func addExternalAccountProvider(_ provider: any MSALExternalAccountProviding) {
        externalAccountProviders.append(provider)
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALCacheConfig(keychainSharingGroup: keychainSharingGroup)
        copy.kind = kind
        copy.storeURL = storeURL
        copy.metadataDirectory = metadataDirectory
        copy.externalAccountProviders = externalAccountProviders
        copy.adalCacheFiles = adalCacheFiles
        copy.serializedADALCache = serializedADALCache
        copy.keySource = keySource
        copy.passphrase = passphrase
        copy.previousPassphrase = previousPassphrase
        copy.acceptsReplacedStore = acceptsReplacedStore
        copy.isLookedAtOnly = isLookedAtOnly
        return copy
    }

    var files: [URL] {
        switch kind {
        case .encrypted: [storeURL].compactMap(\.self)
        case .unified(let file): [file, storeURL].compactMap(\.self)
        }
    }
}

/// The format of the token cache. Not in MSAL for iOS and macOS.
public enum MSALCacheKind: Sendable, Equatable {
    /// An encrypted database in this library's own format.
    case encrypted
    /// A file shared with programs that use MSAL for Python, .NET, Go, Java or Node, in their schema. Not encrypted,
    /// because those programs couldn't read it.
    case unified(URL)
}

/// The source of the key that encrypts the token cache. Not in MSAL for iOS and macOS.
///
/// A cache with a key from another source is encrypted again at its next use, except with ``automatic``.
public enum MSALCacheKeySource: String, Sendable, CaseIterable {
    /// The current key of the cache. A new cache uses the Secret Service, else the passphrase if set, else a key file.
    ///
    /// A Secret Service that is locked or doesn't respond is an error; the library then doesn't create a key file.
    case automatic
    /// The keyring of the session (freedesktop.org Secret Service).
    case secretService
    /// A key derived from ``MSALCacheConfig/passphrase`` with scrypt.
    case passphrase
    /// A file beside the cache that only its owner can read.
    case keyFile
}

/// The source of the token cache's passphrase. Not in MSAL for iOS and macOS.
public enum MSALCachePassphrase: Sendable {
    /// The first line of a file that only its owner can read.
    case file(URL)
    /// A function that the library calls each time it opens the cache. The library doesn't keep the result.
    case provider(@Sendable () throws -> String)
}
