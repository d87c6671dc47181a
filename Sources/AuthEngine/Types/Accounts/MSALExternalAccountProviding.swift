/// Another store that knows accounts (MSAL for iOS and macOS, `MSALExternalAccountProviding`).
///
/// The library calls a provider from any thread, but one call at a time for each application.
public protocol MSALExternalAccountProviding {
    /// The authority has just told of an account. What is thrown is logged and changes nothing else.
    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws

    /// The account was taken away from this application; with `wipeAccount` from all that share the cache.
    func remove(
        _ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws

    /// The accounts that match. What is thrown is logged, and the cache's own accounts are listed all the same.
    @discardableResult
    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol]
}
