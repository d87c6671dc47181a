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
