/// How the token cache is protected at rest. An addition of this library.
public struct MSALCacheProtection: Sendable, Equatable {
    /// Where the key is that the cache is sealed with.
    public enum KeyPlace: String, Sendable, CaseIterable {
        case secretService
        case passphrase
        case keyFile
        /// It is not sealed: memory, or a file that other programs read too.
        case none
    }

    public let keyPlace: KeyPlace
    /// The cache's file; `nil` when it has none.
    public let path: String?
    /// One line for a person: where the key is, and why there.
    public let detail: String

    public init(keyPlace: KeyPlace, path: String?, detail: String) {
        self.keyPlace = keyPlace
        self.path = path
        self.detail = detail
    }
}
