/// A request that the person answers on another device: no browser is needed on this one. An addition of this library,
/// in the manner of MSAL's other parameters (RFC 8628).
open class MSALDeviceCodeParameters: MSALTokenParameters {
    /// Shows the person the code. It is called once, before the wait for them begins, and must not block.
    public let deviceCodeHandler: @Sendable (MSALDeviceCode) -> Void

    /// The user who has to sign in, by username in any case or by account identifier. When another user signs in, the
    /// request fails with ``MSALInternalError/internalErrorMismatchedUser`` and nothing is saved. An account that is known
    /// goes into ``MSALTokenParameters/account`` instead. An addition of this library.
    public var requiredUser: String?

    /// `deviceCodeHandler` shows the code to the person; it is called once.
    public init(scopes: [String], deviceCodeHandler: @escaping @Sendable (MSALDeviceCode) -> Void) {
        self.deviceCodeHandler = deviceCodeHandler
        super.init(scopes: scopes)
    }
}
