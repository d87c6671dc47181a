/// Parameters of a sign-in with a code that the user enters on another device (RFC 8628). Not in MSAL for iOS and
/// macOS.
///
/// This device needs no browser.
open class MSALDeviceCodeParameters: MSALTokenParameters {
    /// Shows the code to the user. The library calls it once, before it waits for the user. It must not block.
    public let deviceCodeHandler: @Sendable (MSALDeviceCode) -> Void

    /// The user who has to sign in, by username in any case or by account identifier. Not in MSAL for iOS and macOS.
    ///
    /// When another user signs in, the request fails with ``MSALInternalError/internalErrorMismatchedUser`` and saves
    /// nothing. For a cached account, set ``MSALTokenParameters/account`` instead.
    public var requiredUser: String?

    /// Creates the parameters. The library calls `deviceCodeHandler` once, to show the code to the user.
    public init(scopes: [String], deviceCodeHandler: @escaping @Sendable (MSALDeviceCode) -> Void) {
        self.deviceCodeHandler = deviceCodeHandler
        super.init(scopes: scopes)
    }
}
