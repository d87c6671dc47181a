import Foundation
import OAuthCore

/// A token of the device itself (MSAL for iOS and macOS, `MSALDeviceTokenResult`).
public final class MSALDeviceTokenResult: NSObject, Sendable {
    /// Secret.
    public let accessToken: String
    /// What the authority says of the device.
    public let deviceInformation: String?
    /// When the token ends.
    public let expiresOn: Date?
    /// What was granted.
    public let scopes: [String]
    /// Who issued the token.
    public var authority: MSALAuthority? { authorityValue.map(MSALAuthority.of) }
    private let authorityValue: Authority?

    /// As an authority gave it.
    public init(
        accessToken: String, deviceInformation: String?, expiresOn: Date?, scopes: [String], authority: MSALAuthority?
    ) {
        self.accessToken = accessToken
        self.deviceInformation = deviceInformation
        self.expiresOn = expiresOn
        self.scopes = scopes
        authorityValue = authority?.value
    }

    /// Never the token: a result that is printed by mistake stays harmless.
    public override var description: String { "MSALDeviceTokenResult(\(scopes.count) scopes)" }
}
