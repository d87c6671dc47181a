/// Which accounts to list (MSAL for iOS and macOS, `MSALAccountEnumerationParameters`). All given members must match.
open class MSALAccountEnumerationParameters: MSALParameters {
    public let identifier: String?
    public let tenantProfileIdentifier: String?
    public let username: String?

    /// Leaves out accounts that were signed out of this application.
    public var returnOnlySignedInAccounts = true

    public override init() {
        identifier = nil
        tenantProfileIdentifier = nil
        username = nil
    }

    public init(identifier: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        username = nil
    }

    public init(identifier: String?, username: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        self.username = username
    }

    public init(tenantProfileIdentifier: String) {
        identifier = nil
        self.tenantProfileIdentifier = tenantProfileIdentifier
        username = nil
    }
}
