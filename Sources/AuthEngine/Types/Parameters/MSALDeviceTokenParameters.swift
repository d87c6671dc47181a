/// A request for a token of the device itself (MSAL for iOS and macOS, `MSALDeviceTokenParameters`).
open class MSALDeviceTokenParameters: MSALTokenParameters {
    /// The tenant the device is registered with.
    public let tenantId: String?

    /// What the token is for.
    public let resource: String

    /// `scopes` are those of the resource; `nil` for all of them.
    public init(resource: String, scopes: [String]?, forTenantId tenantId: String) {
        self.resource = resource
        self.tenantId = tenantId
        super.init(scopes: scopes ?? [])
    }
}
