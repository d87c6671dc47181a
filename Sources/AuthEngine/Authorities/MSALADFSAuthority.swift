import Foundation
import OAuthCore

/// An AD FS server of one's own (MSAL for iOS and macOS, `MSALADFSAuthority`). There as upstream has it, and refused as
/// upstream does: neither library can sign in at one.
open class MSALADFSAuthority: MSALAuthority {
    /// Always throws.
    public init(url: URL) throws {
        throw MSALAuthenticationError(.caller(.authority(url.absoluteString, .adfsUnsupported)), correlationID: nil)
    }
}
