import Foundation
import OAuthCore

/// An authority that signs users in (MSAL for iOS and macOS, `MSALAuthority`).
///
/// `MSALAuthority(url:)` creates the subclass that matches the URL.
open class MSALAuthority: NSObject, NSCopying, MSALAuthorityByAddress {
    package let value: Authority

    /// The normalised URL, without its query and insignificant path components.
    open var url: URL { value.url }

    init(value: Authority) {
        self.value = value
    }

    /// Returns an authority of the subclass that matches the URL.
    open class func authority(for url: URL) throws -> MSALAuthority {
        .of(try make(url, AuthorityRules.classify(url)))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? MSALAuthority)?.value == value }

    open override var hash: Int { value.hashValue }

    package static func of(_ value: Authority) -> MSALAuthority {
        switch value.kind {
        case .aad: MSALAADAuthority(value: value)
        case .b2c: MSALB2CAuthority(value: value)
        case .ciam: MSALCIAMAuthority(value: value)
        case .openID: MSALOIDCAuthority(value: value)
        case .oauth: MSALOAuthAuthority(value: value)
        }
    }

    /// The public cloud, for any work, school or personal account. The default of MSAL for iOS and macOS.
    static var common: MSALAuthority { .of(AuthorityRules.common) }

    static func make(_ url: URL, _ rule: @autoclosure () throws -> Authority) throws -> Authority {
        do { return try rule() } catch let rejection as AuthorityRejection {
            throw MSALAuthenticationError(.caller(.authority(url.absoluteString, rejection)))
        }
    }
}

/// Lets `MSALAuthority(url:)` return a subclass, as in MSAL for iOS and macOS. In Swift only an initialiser in a
/// protocol extension can do so.
public protocol MSALAuthorityByAddress {
    /// Returns an authority of the subclass that matches the URL.
    static func authority(for url: URL) throws -> MSALAuthority
}

extension MSALAuthorityByAddress {
    /// Creates an authority of the subclass that matches the URL.
    public init(url: URL) throws {
        guard let authority = try Self.authority(for: url) as? Self else {
            throw MSALAuthenticationError(.invalid("\(url.absoluteString) is another kind of authority."))
        }
        self = authority
    }
}

/// An AD FS server (MSAL for iOS and macOS, `MSALADFSAuthority`). Unsupported, as in MSAL for iOS and macOS.
open class MSALADFSAuthority: MSALAuthority {
    /// Always throws.
    public init(url: URL) throws {
        throw MSALAuthenticationError(.caller(.authority(url.absoluteString, .adfsUnsupported)))
    }
}

/// Any OpenID provider, identified by its issuer. Not in MSAL for iOS and macOS.
open class MSALOIDCAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates the authority of an OpenID provider. Throws when the URL can't be an issuer.
    public init(url: URL) throws {
        super.init(value: try Self.make(url, AuthorityRules.openID(url)))
    }
}

/// Azure AD B2C (MSAL for iOS and macOS, `MSALB2CAuthority`).
open class MSALB2CAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Azure AD B2C. Throws for the URL of any other kind.
    public init(url: URL) throws {
        super.init(value: try Self.make(url, AuthorityRules.b2c(url)))
    }
}
