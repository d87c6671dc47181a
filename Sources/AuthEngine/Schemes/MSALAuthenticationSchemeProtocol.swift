/// How the tokens of a request are to be used (MSAL for iOS and macOS, `MSALAuthenticationSchemeProtocol`).
public protocol MSALAuthenticationSchemeProtocol {
    /// Which scheme it is.
    var scheme: MSALAuthScheme { get }
    /// As it stands in the `Authorization` header.
    var authenticationScheme: String { get }
}
