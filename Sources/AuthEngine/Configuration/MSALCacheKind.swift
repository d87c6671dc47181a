import Foundation

/// What tokens are kept in. An addition of this library.
public enum MSALCacheKind: Sendable, Equatable {
    /// A database of this library's own, sealed.
    case encrypted
    /// A file that programs with MSAL for Python, .NET, Go, Java or Node share at the same time, in their schema. It is
    /// not sealed: they could not read it.
    case unified(URL)
}
