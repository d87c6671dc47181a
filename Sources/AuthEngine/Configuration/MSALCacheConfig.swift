import Foundation

/// Where tokens are kept (MSAL for iOS and macOS, `MSALCacheConfig`).
public final class MSALCacheConfig: NSObject, NSCopying {
    /// Names the cache: applications of one group share it.
    public var keychainSharingGroup: String

    /// The cache's file. An addition of this library. `nil`: `$XDG_STATE_HOME/keyturn/<sharing group>.db`.
    public var storeURL: URL?

    /// Where public documents of authorities are kept between runs. An addition of this library.
    /// `nil`: `$XDG_CACHE_HOME/keyturn`.
    public var metadataDirectory: URL?

    package init(keychainSharingGroup: String = MSALCacheConfig.defaultKeychainSharingGroup()) {
        self.keychainSharingGroup = keychainSharingGroup
    }

    public class func defaultKeychainSharingGroup() -> String { "com.microsoft.identity.universalstorage" }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALCacheConfig(keychainSharingGroup: keychainSharingGroup)
        copy.storeURL = storeURL
        copy.metadataDirectory = metadataDirectory
        return copy
    }
}
