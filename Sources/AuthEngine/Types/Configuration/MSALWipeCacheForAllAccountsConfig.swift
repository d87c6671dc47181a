import Foundation

/// What is emptied besides the cache when all accounts are wiped (MSAL for iOS and macOS,
/// `MSALWipeCacheForAllAccountsConfig`).
public final class MSALWipeCacheForAllAccountsConfig: NSObject {
    /// Places of Microsoft's other products in Apple's keychain. They have none in this system, so it is empty.
    @discardableResult
    public class func additionalPartnerLocations() -> [String: [AnyHashable: Any]] { [:] }
}
