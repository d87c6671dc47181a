import Foundation

/// Where the passphrase of the token cache comes from. An addition of this library.
public enum MSALCachePassphrase: Sendable {
    /// The first line of a file that only its owner may read.
    case file(URL)
    /// Called each time the cache is opened; the text is not kept.
    case provider(@Sendable () throws -> String)
}
