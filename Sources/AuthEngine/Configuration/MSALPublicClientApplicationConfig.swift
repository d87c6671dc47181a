import Foundation

/// What an application is configured with (MSAL for iOS and macOS, `MSALPublicClientApplicationConfig`).
public final class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The client ID the application is registered under at the authority.
    public var clientId: String

    /// Where the authority sends the person back to. `nil`: `msauth.<bundle identifier>://auth`.
    public var redirectUri: String?

    /// The client ID of the application that this one runs inside of; empty when it runs by itself.
    public var nestedAuthBrokerClientId: String

    /// Where the authority sends the person back to when this application runs inside of another.
    public var nestedAuthBrokerRedirectUri: String?

    /// Whom to ask for tokens unless a request says otherwise. `https://login.microsoftonline.com/common` unless given.
    public var authority: MSALAuthority

    /// Authorities to trust without asking the cloud's discovery first.
    public var knownAuthorities: [MSALAuthority] = []

    /// Seconds before its expiry from which on a cached access token is not given out any more. 300 unless set.
    public var tokenExpirationBuffer: Double = 300

    /// Gives out a token past its expiry, while its extended lifetime lasts, when the authority is down.
    public var extendedLifetimeEnabled = false

    /// What the application can handle, told to the authority with every request: `CP1` for claims challenges.
    public var clientApplicationCapabilities: [String]?

    /// Which part of Entra answers, for tests of the service itself.
    public var sliceConfig: MSALSliceConfig?

    /// Lets people of other clouds sign in: the authority then says which cloud to ask for tokens.
    public var multipleCloudsSupported = false

    /// Accepts any redirect URI: the developer vouches for it. No broker answers to it then.
    public var bypassRedirectURIValidation = false

    /// Asks the identity broker of the session first, whatever the redirect URI. An addition of this library. `false`
    /// unless set: then one is asked only when the redirect URI is one that brokers answer to
    /// (``MSALRedirectUri/brokerCapable``). ``MSALGlobalConfig/brokerAvailability`` comes before both.
    ///
    /// The application has to be registered with `https://login.microsoftonline.com/common/oauth2/nativeclient`.
    public var linuxBrokerEnabled = false

    /// Where tokens and accounts are kept.
    public let cacheConfig: MSALCacheConfig

    /// Whose URL schemes the redirect URI is held against. An addition of this library.
    /// `nil`: the `Info.plist` beside the program or in its `share` folder.
    public var appRegistration: MSALAppRegistration?

    /// Commands that open a page, in the form of `$BROWSER`: separated by colons, `%s` for the address. An addition of
    /// this library. `nil`: `$BROWSER`, else the system's own.
    public var browser: String?

    /// Where to listen for a loopback redirect URI. An addition of this library. `nil`: on 127.0.0.1 and ::1, at the
    /// redirect URI's port, else at any.
    public var loopbackListener: MSALLoopbackListener?

    /// Told of each request for a token when it is over, if it failed or anybody was asked: not for a token that was in the
    /// cache. It must not block for long. An addition of this library.
    public var flowRecordHandler: (@Sendable (MSALFlowRecord) -> Void)?

    /// An application of any work, school or personal account, with the default redirect URI.
    public convenience init(clientId: String) {
        self.init(clientId: clientId, redirectUri: nil, authority: nil)
    }

    /// `nil` stands for the default redirect URI, and for an authority of any account.
    public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.init(
            clientId: clientId, redirectUri: redirectUri, authority: authority, nestedAuthBrokerClientId: nil,
            nestedAuthBrokerRedirectUri: nil)
    }

    /// For an application that runs inside of another, whose client ID and redirect URI are given as well.
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

    private init(copying other: MSALPublicClientApplicationConfig, cacheConfig: MSALCacheConfig) {
        clientId = other.clientId
        redirectUri = other.redirectUri
        nestedAuthBrokerClientId = other.nestedAuthBrokerClientId
        nestedAuthBrokerRedirectUri = other.nestedAuthBrokerRedirectUri
        authority = other.authority
        knownAuthorities = other.knownAuthorities
        tokenExpirationBuffer = other.tokenExpirationBuffer
        extendedLifetimeEnabled = other.extendedLifetimeEnabled
        clientApplicationCapabilities = other.clientApplicationCapabilities
        sliceConfig = other.sliceConfig?.copy() as? MSALSliceConfig
        multipleCloudsSupported = other.multipleCloudsSupported
        bypassRedirectURIValidation = other.bypassRedirectURIValidation
        linuxBrokerEnabled = other.linuxBrokerEnabled
        appRegistration = other.appRegistration
        browser = other.browser
        loopbackListener = other.loopbackListener
        flowRecordHandler = other.flowRecordHandler
        self.cacheConfig = cacheConfig
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let cache = cacheConfig.copy() as? MSALCacheConfig ?? MSALCacheConfig()
        return MSALPublicClientApplicationConfig(copying: self, cacheConfig: cache)
    }
}
