/// Which accounts to list (MSAL for iOS and macOS, `MSALAccountEnumerationParameters`). All given members must match.
open class MSALAccountEnumerationParameters: MSALParameters {
    /// The home account to look for.
    public let identifier: String?
    /// The account of any tenant to look for.
    public let tenantProfileIdentifier: String?
    /// The user name to look for.
    public let username: String?

    /// Leaves out accounts that were signed out of this application.
    open var returnOnlySignedInAccounts = true

    public override init() {
        identifier = nil
        tenantProfileIdentifier = nil
        username = nil
    }

    /// Accounts of this home account.
    public init(identifier: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        username = nil
    }

    /// Accounts of this home account, or of this user name.
    public init(identifier: String?, username: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        self.username = username
    }

    /// Accounts that are known by this in one of their tenants.
    public init(tenantProfileIdentifier: String) {
        identifier = nil
        self.tenantProfileIdentifier = tenantProfileIdentifier
        username = nil
    }
}
