import MSAL

/// An account in JSON.
struct AccountDocument: Encodable, Equatable {
    /// Opaque; what `--account` and `remove` take.
    var identifier: String?
    var username: String?
    var environment: String
    var tenantId: String?

    /// - Parameter tenantID: that of the tokens beside it, which may be a guest's.
    private init(_ account: MSALAccount, tenantID: String?) {
        identifier = account.identifier
        username = account.username
        environment = account.environment
        tenantId = tenantID ?? account.homeAccountId?.tenantId ?? account.tenantProfiles?.first?.tenantId
    }

    init(_ account: MSALAccount) { self.init(account, tenantID: nil) }

    init(_ result: MSALResult) { self.init(result.account, tenantID: result.tenantProfile.tenantId) }
}
