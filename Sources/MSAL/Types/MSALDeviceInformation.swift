import Foundation
import OAuthCore

/// Information that an identity broker has about this device (MSAL for iOS and macOS, `MSALDeviceInformation`).
public final class MSALDeviceInformation: NSObject, Sendable {
    /// Whether several users share the device.
    public let deviceMode: MSALDeviceMode = .default
    /// The sign-in method that the device's administrator prefers.
    public let configuredPreferredAuthMethod: MSALPreferredAuthMethod = .none
    /// Whether the single sign-on extension of macOS or iOS is installed. Always `false` on Linux.
    public let hasAADSSOExtension: Bool = false
    /// The state of platform single sign-on.
    public let platformSSOStatus: MSALPlatformSSOStatus = .notEnabled

    /// The key of the broker's version, a `String`, in ``extraDeviceInformation``. Not in MSAL for iOS and macOS.
    public static let brokerVersionKey = "linuxBrokerVersion"

    private let brokerVersion: String?

    init(brokerVersion: String? = nil) { self.brokerVersion = brokerVersion }

    /// Further information from the broker. Empty without one.
    public var extraDeviceInformation: [AnyHashable: Any] { brokerVersion.map { [Self.brokerVersionKey: $0] } ?? [:] }
}

/// The registration of this device with an organisation (MSAL for iOS and macOS, `MSALWPJMetaData`).
public final class MSALWPJMetaData: NSObject, Sendable {
    override init() {}

    /// The registration, by the keys `MSAL_PRIMARY_REGISTRATION_…`. Empty for an unregistered device.
    public var extraDeviceInformation: [AnyHashable: Any] { [:] }
}

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
        (self.accessToken, self.deviceInformation) = (accessToken, deviceInformation)
        (self.expiresOn, self.scopes) = (expiresOn, scopes)
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
