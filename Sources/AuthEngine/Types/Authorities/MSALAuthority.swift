import Foundation
import OAuthCore

/// Where people sign in (MSAL for iOS and macOS, `MSALAuthority`).
///
/// `MSALAuthority(url:)` makes one of the subclasses, by the address.
open class MSALAuthority: NSObject, NSCopying, MSALAuthorityByAddress {
    package let value: Authority

    /// Its address in the normal form: without query, and without what does not count of the path.
    open var url: URL { value.url }

    init(value: Authority) {
        self.value = value
    }

    /// Of the class that the address belongs to.
    open class func authority(for url: URL) throws -> MSALAuthority {
        .of(try make(url) { (url) throws(AuthorityRejection) in try AuthorityRules.classify(url) })
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
        }
    }

    /// Any work, school or personal account, in the public cloud: upstream's default.
    static var common: MSALAuthority { .of(AuthorityRules.common) }

    static func make(
        _ url: URL, by rule: (URL) throws(AuthorityRejection) -> Authority
    ) throws -> Authority {
        do throws(AuthorityRejection) {
            return try rule(url)
        } catch {
            throw MSALAuthenticationError(.caller(.authority(url.absoluteString, error)), correlationID: nil)
        }
    }
}

/// Lets `MSALAuthority(url:)` make a subclass, as upstream's initialiser does: an initialiser of a class cannot, one
/// of a
/// protocol's extension can.
public protocol MSALAuthorityByAddress {
    /// Of the class that the address belongs to.
    static func authority(for url: URL) throws -> MSALAuthority
}

extension MSALAuthorityByAddress {
    /// The authority at an address, of the kind the address shows.
    public init(url: URL) throws {
        guard let authority = try Self.authority(for: url) as? Self else {
            throw MSALAuthenticationError(
                .caller(.invalidParameter("\(url.absoluteString) is an authority of another kind.")), correlationID: nil
            )
        }
        self = authority
    }
}

/// An AD FS server of one's own (MSAL for iOS and macOS, `MSALADFSAuthority`). There as upstream has it, and refused as
/// upstream does: neither library can sign in at one.
open class MSALADFSAuthority: MSALAuthority {
    /// Always throws.
    public init(url: URL) throws {
        throw MSALAuthenticationError(.caller(.authority(url.absoluteString, .adfsUnsupported)), correlationID: nil)
    }
}

/// Any OpenID provider, by its issuer's address. An addition of this library.
open class MSALOIDCAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// An OpenID provider by its issuer. Throws for what no issuer can be.
    public init(url: URL) throws {
        super.init(value: try Self.make(url) { (url) throws(AuthorityRejection) in try AuthorityRules.openID(url) })
    }
}

/// Azure AD B2C (MSAL for iOS and macOS, `MSALB2CAuthority`).
open class MSALB2CAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// An authority of Azure AD B2C by its address. Throws for any other kind.
    public init(url: URL) throws {
        super.init(value: try Self.make(url) { (url) throws(AuthorityRejection) in try AuthorityRules.b2c(url) })
    }
}
