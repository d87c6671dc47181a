/// A store of accounts outside the cache (MSAL for iOS and macOS, `MSALExternalAccountProviding`).
///
/// The library calls a provider from any thread, but makes one call at a time per application.
public protocol MSALExternalAccountProviding {
    /// Called after a token response updated an account. The library logs an error thrown here and continues.
    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws

    /// Called after an account was removed from this application. With `wipeAccount`, it was removed from every
    /// application that shares the cache.
    func remove(
        _ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?) throws

    /// Returns the accounts that match. The library logs an error thrown here and still lists the cached accounts.
    @discardableResult
    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol]
}
