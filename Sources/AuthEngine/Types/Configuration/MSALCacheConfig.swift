import Foundation

/// Where tokens are kept (MSAL for iOS and macOS, `MSALCacheConfig`).
public final class MSALCacheConfig: NSObject, NSCopying {
    /// Names the cache: applications of one group share it.
    public var keychainSharingGroup: String

    /// What the cache is. An addition of this library.
    public var kind: MSALCacheKind = .encrypted

    /// The cache's file, for an encrypted one. An addition of this library. `nil`: `$XDG_STATE_HOME/keyturn/<sharing group>.db`.
    public var storeURL: URL?

    /// The folder for public documents of authorities beside a cache of the unified schema. An encrypted cache holds
    /// them itself, sealed. An addition of this library. `nil`: `$XDG_CACHE_HOME/keyturn`.
    public var metadataDirectory: URL?

    /// Other stores that know accounts, in the order in which they are asked.
    public private(set) var externalAccountProviders: [any MSALExternalAccountProviding] = []

    /// Files that ADAL, the library before this one, left: `accessTokens.json`, or the blob of ADAL .NET. People in them
    /// are found by their user name, and their first silent call brings them over; the files stay as they are. An
    /// addition of this library.
    public var adalCacheFiles: [URL] = []

    /// An old cache of ADAL that the program itself keeps.
    public var serializedADALCache: MSALSerializedADALCacheProvider?

    /// Which key the cache is sealed with. An addition of this library.
    public var keySource: MSALCacheKeySource = .automatic

    /// The passphrase, for a cache that is sealed with one. An addition of this library.
    public var passphrase: MSALCachePassphrase?

    /// The passphrase that the cache has had until now, to change it: a cache that ``passphrase`` does not open and this
    /// one does is sealed anew under ``passphrase``, with everything in it. An addition of this library.
    public var previousPassphrase: MSALCachePassphrase?

    /// Takes a cache that was replaced by another or by an earlier state, for example a restored backup, and remembers it as
    /// it is. Without it such a cache is refused. An addition of this library.
    public var acceptsReplacedStore = false

    /// Changes no file: what the application writes is lost with it, and damage is reported and left as it is. For what
    /// only looks at a set-up.
    package var isLookedAtOnly = false

    package init(keychainSharingGroup: String = MSALCacheConfig.defaultKeychainSharingGroup()) {
        self.keychainSharingGroup = keychainSharingGroup
    }

    /// Whether a sharing group names a file in the folder of caches, and nothing else.
    package static func isSharingGroup(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }

    /// The name of the cache of programs that choose none.
    @discardableResult
    public class func defaultKeychainSharingGroup() -> String { "com.microsoft.identity.universalstorage" }

    /// Adds a store to ask, before the application is made. Not safe from several threads.
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
}

extension MSALCacheConfig {
    /// Where the program wants its cache, if it says so.
    var files: [URL] {
        switch kind {
        case .encrypted: [storeURL].compactMap(\.self)
        case .unified(let file): [file, storeURL].compactMap(\.self)
        }
    }
}

/// What tokens are kept in. An addition of this library.
public enum MSALCacheKind: Sendable, Equatable {
    /// A database of this library's own, sealed.
    case encrypted
    /// A file that programs with MSAL for Python, .NET, Go, Java or Node share at the same time, in their schema. It is
    /// not sealed: they could not read it.
    case unified(URL)
}

/// Which key the token cache is to be sealed with. An addition of this library.
///
/// A cache whose key is elsewhere is sealed anew when it is next used, unless the source is `automatic`.
public enum MSALCacheKeySource: String, Sendable, CaseIterable {
    /// The key the cache has. For a new cache: the Secret Service, else the passphrase when there is one, else a key
    /// file. A Secret Service that is there, but locked or silent, is never passed over for a key file.
    case automatic
    /// The keyring of the session (freedesktop.org Secret Service).
    case secretService
    /// ``MSALCacheConfig/passphrase``, by scrypt.
    case passphrase
    /// A file beside the cache, for its owner only.
    case keyFile
}

/// Where the passphrase of the token cache comes from. An addition of this library.
public enum MSALCachePassphrase: Sendable {
    /// The first line of a file that only its owner may read.
    case file(URL)
    /// Called each time the cache is opened; the text is not kept.
    case provider(@Sendable () throws -> String)
}
