import Foundation

/// The additional places to empty when all accounts are wiped (MSAL for iOS and macOS,
/// `MSALWipeCacheForAllAccountsConfig`).
public final class MSALWipeCacheForAllAccountsConfig: NSObject {
    /// Returns the keychain locations of Microsoft's other products. Always empty on Linux.
    @discardableResult
    public class func additionalPartnerLocations() -> [String: [AnyHashable: Any]] { [:] }
}
