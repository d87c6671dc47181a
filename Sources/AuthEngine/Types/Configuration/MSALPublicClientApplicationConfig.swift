import Foundation

/// What an application is configured with (MSAL for iOS and macOS, `MSALPublicClientApplicationConfig`).
open class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The client ID the application is registered under at the authority.
    open var clientId: String

    /// Where the authority sends the user back to. `nil`: `msauth.<bundle identifier>://auth` for a program that registers
    /// a bundle identifier (``appRegistration``), else `http://localhost`.
    open var redirectUri: String?

    /// The client ID of the application that this one runs inside of; empty when it runs by itself.
    open var nestedAuthBrokerClientId: String

    /// Where the authority sends the person back to when this application runs inside of another.
    open var nestedAuthBrokerRedirectUri: String?

    /// Whom to ask for tokens unless a request says otherwise. `https://login.microsoftonline.com/common` unless given.
    open var authority: MSALAuthority

    /// Authorities to trust without asking the cloud's discovery first.
    open var knownAuthorities: [MSALAuthority] = []

    /// Seconds before its expiry from which on a cached access token is not given out any more. 300 unless set.
    open var tokenExpirationBuffer: Double = 300

    /// Gives out a token past its expiry, while its extended lifetime lasts, when the authority is down.
    open var extendedLifetimeEnabled = false

    /// What the application can handle, told to the authority with every request: `CP1` for claims challenges.
    open var clientApplicationCapabilities: [String]?

    /// Which part of Entra answers, for tests of the service itself.
    open var sliceConfig: MSALSliceConfig?

    /// Lets people of other clouds sign in: the authority then says which cloud to ask for tokens.
    open var multipleCloudsSupported = false

    /// Accepts any redirect URI: the developer vouches for it. No broker answers to it then.
    open var bypassRedirectURIValidation = false

    /// Asks the identity broker of the session first, whatever the redirect URI. An addition of this library. `false`
    /// unless set: then one is asked only when the redirect URI is one that brokers answer to
    /// (``MSALRedirectUri/brokerCapable``). ``MSALGlobalConfig/brokerAvailability`` comes before both.
    ///
    /// The application has to be registered with `https://login.microsoftonline.com/common/oauth2/nativeclient`.
    open var linuxBrokerEnabled = false

    /// Where tokens and accounts are kept.
    open private(set) var cacheConfig: MSALCacheConfig

    /// Whose URL schemes the redirect URI is held against. An addition of this library.
    /// `nil`: the `Info.plist` beside the program or in its `share` folder.
    open var appRegistration: MSALAppRegistration?

    /// Commands that open a page, in the form of `$BROWSER`: separated by colons, `%s` for the address. An addition of
    /// this library. `nil`: `$BROWSER`, else the system's own.
    open var browser: String?

    /// Where to listen for a loopback redirect URI. An addition of this library. `nil`: on 127.0.0.1 and ::1, at the
    /// redirect URI's port, else at any.
    open var loopbackListener: MSALLoopbackListener?

    /// Told of each request for a token when it is over, if it failed or anybody was asked: not for a token that was in the
    /// cache. It must not block for long. An addition of this library.
    open var flowRecordHandler: (@Sendable (MSALFlowRecord) -> Void)?

    /// What is around the application; `nil` for this machine.
    package var world: (any ApplicationWorld)?

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
        copy.world = world
        copy.cacheConfig = cacheConfig.copy() as? MSALCacheConfig ?? MSALCacheConfig()
        return copy
    }
}
