import Foundation
import OAuthCore

/// The configuration of an application (MSAL for iOS and macOS, `MSALPublicClientApplicationConfig`).
open class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The client ID from the application's registration at the authority.
    open var clientId: String

    /// The redirect URI. The default `nil` selects `msauth.<bundle identifier>://auth` for a program with a bundle
    /// identifier (``appRegistration``), else `http://localhost`.
    open var redirectUri: String?

    /// The client ID of the application that hosts this one. Empty without a host.
    open var nestedAuthBrokerClientId: String

    /// The redirect URI of the application that hosts this one.
    open var nestedAuthBrokerRedirectUri: String?

    /// The authority of requests that name none (default: `https://login.microsoftonline.com/common`).
    open var authority: MSALAuthority

    /// Authorities to trust without instance discovery.
    open var knownAuthorities: [MSALAuthority] = []

    /// The remaining lifetime, in seconds, below which a cached access token isn't used (default: 300).
    open var tokenExpirationBuffer: Double = 300

    /// Whether to return an expired token within its extended lifetime when the authority is unavailable.
    open var extendedLifetimeEnabled = false

    /// The client capabilities to declare with every request, such as `CP1` for claims challenges.
    open var clientApplicationCapabilities: [String]?

    /// The slice of Microsoft Entra ID to use, for tests of the service itself.
    open var sliceConfig: MSALSliceConfig?

    /// Whether users of other clouds can sign in. The authority then names the cloud to get tokens from.
    open var multipleCloudsSupported = false

    /// Whether to accept any redirect URI without validation. Brokers are then not used.
    open var bypassRedirectURIValidation = false

    /// Whether to use the session's identity broker with any redirect URI (default: `false`). Not in MSAL for iOS and
    /// macOS.
    ///
    /// Otherwise a broker is used only with a broker-capable redirect URI (``MSALRedirectUri/brokerCapable``).
    /// ``MSALGlobalConfig/brokerAvailability`` takes precedence over both. The registration of the application must
    /// include `https://login.microsoftonline.com/common/oauth2/nativeclient`.
    open var linuxBrokerEnabled = false

    /// The location and protection of the token cache.
    open private(set) var cacheConfig: MSALCacheConfig

    /// The registration whose URL schemes the redirect URI must match. Not in MSAL for iOS and macOS.
    ///
    /// The default `nil` selects the `Info.plist` beside the program or in its `share` folder.
    open var appRegistration: MSALAppRegistration?

    /// Commands that open a page, in the format of `$BROWSER`: separated by colons, `%s` for the URL. Not in MSAL for
    /// iOS and macOS.
    ///
    /// The default `nil` selects `$BROWSER`, else the system's browser.
    open var browser: String?

    /// The address and ports for a loopback redirect URI. Not in MSAL for iOS and macOS.
    ///
    /// The default `nil` selects 127.0.0.1 and ::1, at the redirect URI's port or else any.
    open var loopbackListener: MSALLoopbackListener?

    /// A handler that receives a record of each finished token request. Not in MSAL for iOS and macOS.
    ///
    /// It isn't called for a token from the cache. It must not block for long.
    open var flowRecordHandler: (@Sendable (MSALFlowRecord) -> Void)?

    /// The resource that the tokens are for. Set by
    /// ``MSALPublicClientApplication/application(forResource:challenge:configuration:renewing:registering:events:exchanges:requests:)``. Not in MSAL for
    /// iOS and macOS.
    public internal(set) var resource: MSALProtectedResource?

    /// Whether requests for a resource's tokens send its identifier as `resource` (RFC 8707; default: `true`). Not in MSAL
    /// for iOS and macOS.
    public var sendsResource = true

    /// The username for accounts at a resource whose server doesn't tell one. Not in MSAL for iOS and macOS.
    public var resourceAccountName: String?

    /// Whether a sign-in to a resource may go on where its authority gets the code of a page that can belong to another
    /// authority (RFC 9700 §4.4; default: `false`). An event names both first. Set it only where a user reads that. Not in MSAL
    /// for iOS and macOS.
    public var allowsStrangePages = false

    /// The https address of this client's metadata document, which some authorization servers accept as client ID. Not in
    /// MSAL for iOS and macOS.
    public var clientMetadataDocument: URL?

    /// The client secret, if the provider requires one of a desktop application. Not in MSAL for iOS and macOS.
    public var clientSecret: MSALClientSecret?

    /// The reserved scopes (`openid`, `profile`, `offline_access`) to request even from an OpenID provider that doesn't list
    /// them. Others are requested only where the provider's metadata lists them, or lists nothing. Not in MSAL for iOS and
    /// macOS.
    public var requiredReservedScopes: [String] = []

    /// The scopes to register this client for at a resource's authorization server, besides those that the resource names
    /// (RFC 7591). Not in MSAL for iOS and macOS.
    public var registrationScopes: [String] = []

    /// Parameters that the provider needs in the authorization request, such as Keycloak's `kc_idp_hint`. Parameters of the
    /// protocol are rejected. Those of a request replace them. Not in MSAL for iOS and macOS.
    public var extraAuthorizationParameters: [String: String] = [:]

    /// Whether each request sets a parameter itself, so that ``extraAuthorizationParameters`` can't have it. Not in MSAL for
    /// iOS and macOS.
    public static func isProtocolParameter(_ name: String) -> Bool { AuthorizationRequest.sets(name) }

    /// The scopes of the tokens that servers may have without a question, by a URL with the server's origin. The only way to
    /// send a token for one of Microsoft's own APIs to another server (docs/resources.md). Not in MSAL for iOS and macOS.
    public var resourceScopes: [URL: [String]] = [:]

    /// The servers to which the organisation grants access, whose sign-ins are at ``authority``, by a URL with the server's
    /// origin. Not in MSAL for iOS and macOS.
    public var managedServers: [URL: MSALManagedServer] = [:]

    /// The API that the tokens are for, at providers that choose it by the parameter `audience`. Not in MSAL for iOS and
    /// macOS.
    public var audience: String?

    /// CA certificates in PEM that this application alone trusts instead of the system's. `nil` for those of ``MSALGlobalConfig/httpConfig``.
    package var certificateAuthorityFile: String?

    /// The HTTP settings of an application that is made now. An application keeps them: nothing that happens to another
    /// application, or later to ``MSALGlobalConfig/httpConfig``, changes whom it trusts (docs/decisions/0039).
    package var httpSettings: MSALHTTPConfig.Settings {
        var settings = MSALGlobalConfig.httpConfig.snapshot
        if let certificateAuthorityFile { settings.certificateAuthorityFile = certificateAuthorityFile }
        if let seconds = MSALHTTPConfig.requestTimeout { settings.chosenTimeout = seconds }
        return settings
    }

    /// Makes what an application depends on; `nil` for what this machine has. Tests replace it.
    package var world: (@Sendable (MSALPublicClientApplicationConfig) throws -> ApplicationWorld)?

    package func use(_ world: ApplicationWorld) { self.world = { _ in world } }

    /// Creates a configuration for any work, school or personal account, with the default redirect URI.
    public convenience init(clientId: String) { self.init(clientId: clientId, redirectUri: nil, authority: nil) }

    /// Creates a configuration. `nil` selects the default redirect URI, or the authority for any account.
    public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.init(
            clientId: clientId, redirectUri: redirectUri, authority: authority, nestedAuthBrokerClientId: nil,
            nestedAuthBrokerRedirectUri: nil)
    }

    /// Creates a configuration for an application that runs inside another one.
    public init(
        clientId: String, redirectUri: String?, authority: MSALAuthority?, nestedAuthBrokerClientId: String?,
        nestedAuthBrokerRedirectUri: String?
    ) {
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.nestedAuthBrokerClientId = nestedAuthBrokerClientId ?? ""
        self.nestedAuthBrokerRedirectUri = nestedAuthBrokerRedirectUri
        self.authority = authority ?? .common
        cacheConfig = MSALCacheConfig()
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALPublicClientApplicationConfig(
            clientId: clientId, redirectUri: redirectUri, authority: authority,
            nestedAuthBrokerClientId: nestedAuthBrokerClientId,
            nestedAuthBrokerRedirectUri: nestedAuthBrokerRedirectUri)
        copy.knownAuthorities = knownAuthorities
        copy.tokenExpirationBuffer = tokenExpirationBuffer
        copy.extendedLifetimeEnabled = extendedLifetimeEnabled
        copy.clientApplicationCapabilities = clientApplicationCapabilities
        copy.sliceConfig = sliceConfig?.copy() as? MSALSliceConfig
        copy.multipleCloudsSupported = multipleCloudsSupported
        copy.bypassRedirectURIValidation = bypassRedirectURIValidation
        copy.linuxBrokerEnabled = linuxBrokerEnabled
        copy.appRegistration = appRegistration
        copy.browser = browser
        copy.loopbackListener = loopbackListener
        copy.flowRecordHandler = flowRecordHandler
        copy.certificateAuthorityFile = certificateAuthorityFile
        copy.world = world
        copy.resource = resource
        copy.sendsResource = sendsResource
        copy.requiredReservedScopes = requiredReservedScopes
        copy.registrationScopes = registrationScopes
        copy.extraAuthorizationParameters = extraAuthorizationParameters
        copy.audience = audience
        copy.resourceScopes = resourceScopes
        copy.managedServers = managedServers
        copy.resourceAccountName = resourceAccountName
        copy.allowsStrangePages = allowsStrangePages
        copy.clientMetadataDocument = clientMetadataDocument
        copy.clientSecret = clientSecret
        copy.cacheConfig = cacheConfig.copy() as? MSALCacheConfig ?? MSALCacheConfig()
        return copy
    }
}

package struct ApplicationWorld: Sendable {
    /// The `Info.plist` of the program, or `nil` without one.
    package var registration: AppRegistration?
    package var dependencies: Dependencies

    package init(registration: AppRegistration?, dependencies: Dependencies) {
        self.registration = registration
        self.dependencies = dependencies
    }
}

/// A valid redirect URI (MSAL for iOS and macOS, `MSALRedirectUri`).
public final class MSALRedirectUri: NSObject, NSCopying, Sendable {
    /// The redirect URI.
    public let url: URL

    /// Whether identity brokers accept the redirect URI.
    public let brokerCapable: Bool

    init(_ redirect: RedirectURI) {
        url = redirect.url
        brokerCapable = redirect.isBrokerCapable
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The slice of Microsoft Entra ID that handles requests, for tests of the service itself (MSAL for iOS and macOS,
/// `MSALSliceConfig`).
public final class MSALSliceConfig: NSObject, NSCopying {
    /// The slice. Empty when only a data centre was given.
    public var slice: String
    /// The data centre. Empty when only a slice was given.
    public var dc: String

    /// Creates a configuration, or returns `nil` when both values are missing.
    public init?(slice: String?, dc: String?) {
        let (slice, dc) = (slice ?? "", dc ?? "")
        guard !slice.isEmpty || !dc.isEmpty else { return nil }
        self.slice = slice
        self.dc = dc
    }

    private init(copying other: MSALSliceConfig) {
        slice = other.slice
        dc = other.dc
    }

    /// The request parameters `slice` and `dc`, each if set.
    public var sliceDictionary: [AnyHashable: Any] { members }

    var members: [String: String] { ["slice": slice, "dc": dc].filter { !$0.value.isEmpty } }

    public func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(copying: self) }
}

/// The source of the client secret that some providers hand out to desktop applications, such as Google. Not in MSAL for iOS and
/// macOS.
///
/// Everybody who has the application can read its secret, so it proves nothing (RFC 8252 §8.5): the application stays a public
/// client, and PKCE protects its codes. Only the token endpoint of the configuration's authority gets the secret, and its endpoints
/// for revocation, pushed requests and device codes. It is read once for each request that reaches one of them, never for a cached
/// token.
public enum MSALClientSecret: Sendable {
    /// The first line of a file that only its owner can read.
    case file(URL)
    /// A function that the library calls each time. The library doesn't keep the result. If it throws, the request fails with the
    /// error's `localizedDescription` and `localizedRecoverySuggestion`.
    case provider(@Sendable () async throws -> String)
    /// The token cache, where ``MSALPublicClientApplication/saveClientSecret(_:)`` stores it, encrypted like the tokens.
    case stored

    /// Whether a text can be a client secret: 1 to 1,024 visible ASCII characters and spaces (RFC 6749 appendix A.2). A field for
    /// it can say so before ``MSALPublicClientApplication/saveClientSecret(_:)`` does.
    public static func isValid(_ text: String) -> Bool { ClientSecret.isOne(text) }
}

/// How this client gets the tokens of a server to which the organisation of the user grants access (enterprise-managed authorization
/// of MCP). Not in MSAL for iOS and macOS.
///
/// The user signs in at the application's authority, which is the organisation's. It issues an assertion for the authority of the
/// server (RFC 8693), and that one an access token for the assertion (RFC 7523). The user sees no second page.
///
/// The assertion and the client secret go to ``authority`` only, whatever the server's metadata names.
public struct MSALManagedServer: Sendable {
    /// The issuer of the server's authority.
    public var authority: URL
    /// The ID of this client at that authority.
    public var clientId: String
    /// The secret of this client there, if it has one. ``MSALClientSecret/stored`` is the application's own, so it can't be used.
    public var clientSecret: MSALClientSecret?

    /// Creates the way to a server's tokens.
    public init(authority: URL, clientId: String, clientSecret: MSALClientSecret? = nil) {
        (self.authority, self.clientId, self.clientSecret) = (authority, clientId, clientSecret)
    }
}
