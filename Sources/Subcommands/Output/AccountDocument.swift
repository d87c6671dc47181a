import MSAL

/// An account in JSON.
struct AccountDocument: Encodable, Equatable {
    /// Opaque; what `--account` and `remove` take.
    var identifier: String?
    var username: String?
    var environment: String
    var tenantId: String?

    init(_ account: MSALAccount, tenantID: String? = nil) {
        identifier = account.identifier
        username = account.username
        environment = account.environment
        tenantId = tenantID ?? account.homeAccountId?.tenantId ?? account.tenantProfiles?.first?.tenantId
    }
}
