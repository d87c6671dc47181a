import Foundation
import OAuthCore

/// A token of the device itself (MSAL for iOS and macOS, `MSALDeviceTokenResult`).
public final class MSALDeviceTokenResult: NSObject, Sendable {
    /// The access token. Secret.
    public let accessToken: String
    /// Information from the authority about the device.
    public let deviceInformation: String?
    /// The time at which the token expires.
    public let expiresOn: Date?
    /// The granted scopes.
    public let scopes: [String]
    /// The authority that issued the token.
    public var authority: MSALAuthority? { authorityValue.map(MSALAuthority.of) }
    private let authorityValue: Authority?

    /// Creates a result from the values of a token response.
    public init(
        accessToken: String, deviceInformation: String?, expiresOn: Date?, scopes: [String], authority: MSALAuthority?
    ) {
        self.accessToken = accessToken
        self.deviceInformation = deviceInformation
        self.expiresOn = expiresOn
        self.scopes = scopes
        authorityValue = authority?.value
    }

    /// A description without the token, so that printing a result exposes no secret.
    public override var description: String { "MSALDeviceTokenResult(\(scopes.count) scopes)" }
}

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
