/// How the token cache is protected at rest. An addition of this library.
public struct MSALCacheProtection: Sendable, Equatable {
    /// Where the key is that the cache is sealed with.
    public enum KeyPlace: String, Sendable, CaseIterable {
        /// The desktop's keyring, over D-Bus.
        case secretService
        /// Nowhere: it is derived from a passphrase each time.
        case passphrase
        /// A file that only its owner can read.
        case keyFile
        /// It is not sealed: memory, or a file that other programs read too.
        case none
    }

    /// Where the key is.
    public let keyPlace: KeyPlace
    /// The cache's file; `nil` when it has none.
    public let path: String?
    /// One line for a person: where the key is, and why there.
    public let detail: String

    /// As somebody found it.
    public init(keyPlace: KeyPlace, path: String?, detail: String) {
        self.keyPlace = keyPlace
        self.path = path
        self.detail = detail
    }
}
