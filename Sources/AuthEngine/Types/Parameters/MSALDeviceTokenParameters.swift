/// Parameters of a request for a token of the device itself (MSAL for iOS and macOS, `MSALDeviceTokenParameters`).
open class MSALDeviceTokenParameters: MSALTokenParameters {
    /// The tenant that the device is registered with.
    public let tenantId: String?

    /// The resource that the token is for.
    public let resource: String

    /// Creates the parameters. `scopes` are those of the resource; `nil` requests all of them.
    public init(resource: String, scopes: [String]?, forTenantId tenantId: String) {
        self.resource = resource
        self.tenantId = tenantId
        super.init(scopes: scopes ?? [])
    }
}
