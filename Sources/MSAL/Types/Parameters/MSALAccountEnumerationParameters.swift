/// A filter for accounts (MSAL for iOS and macOS, `MSALAccountEnumerationParameters`). Every value that is set must
/// match.
open class MSALAccountEnumerationParameters: MSALParameters {
    /// The home account identifier to match.
    public let identifier: String?
    /// The tenant profile identifier to match, in any tenant.
    public let tenantProfileIdentifier: String?
    /// The username to match.
    public let username: String?

    /// Whether to leave out accounts that signed out of this application (default: `true`).
    open var returnOnlySignedInAccounts = true

    public override init() {
        identifier = nil
        tenantProfileIdentifier = nil
        username = nil
    }

    /// Creates a filter for a home account identifier.
    public init(identifier: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        username = nil
    }

    /// Creates a filter for a home account identifier and a username.
    public init(identifier: String?, username: String) {
        self.identifier = identifier
        tenantProfileIdentifier = nil
        self.username = username
    }

    /// Creates a filter for an identifier in one of the account's tenants.
    public init(tenantProfileIdentifier: String) {
        identifier = nil
        self.tenantProfileIdentifier = tenantProfileIdentifier
        username = nil
    }
}
