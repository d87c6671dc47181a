import Foundation

/// What an application is configured with (MSAL for iOS and macOS, `MSALPublicClientApplicationConfig`).
public final class MSALPublicClientApplicationConfig: NSObject, NSCopying {
    /// The client ID the application is registered under at the authority.
    public var clientId: String

    /// Where the authority sends the person back to. `nil`: `msauth.<bundle identifier>://auth`.
    public var redirectUri: String?

    /// Whom to ask for tokens unless a request says otherwise. `https://login.microsoftonline.com/common` unless given.
    public var authority: MSALAuthority

    /// Authorities to trust without asking the cloud's discovery first.
    public var knownAuthorities: [MSALAuthority] = []

    /// Seconds before its expiry from which on a cached access token is not given out any more. 300 unless set.
    public var tokenExpirationBuffer: Double = 300

    public let cacheConfig: MSALCacheConfig

    /// Whose URL schemes the redirect URI is held against. An addition of this library.
    /// `nil`: the `Info.plist` beside the program or in its `share` folder.
    public var appRegistration: MSALAppRegistration?

    public convenience init(clientId: String) {
        self.init(clientId: clientId, redirectUri: nil, authority: nil)
    }

    public init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.authority = authority ?? .common
        cacheConfig = MSALCacheConfig()
    }

    private init(copying other: MSALPublicClientApplicationConfig, cacheConfig: MSALCacheConfig) {
        clientId = other.clientId
        redirectUri = other.redirectUri
        authority = other.authority
        knownAuthorities = other.knownAuthorities
        tokenExpirationBuffer = other.tokenExpirationBuffer
        appRegistration = other.appRegistration
        self.cacheConfig = cacheConfig
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let cache = cacheConfig.copy() as? MSALCacheConfig ?? MSALCacheConfig()
        return MSALPublicClientApplicationConfig(copying: self, cacheConfig: cache)
    }
}
