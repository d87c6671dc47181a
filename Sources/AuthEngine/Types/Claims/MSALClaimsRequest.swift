import Foundation
import OAuthCore

/// Claims wanted in tokens, for example those that a claims challenge names (OpenID Connect Core §5.5; MSAL for iOS and
/// macOS, `MSALClaimsRequest`).
open class MSALClaimsRequest: NSObject, MSALJsonSerializable, MSALJsonDeserializable {
    /// The failure: it was made from a text that is no claims request.
    private var claims: Result<ClaimsRequest, ClaimsRequest.Malformed>

    public override init() {
        claims = .success(ClaimsRequest())
    }

    /// From the JSON of a claims challenge.
    ///
    /// `error` is filled when the text is not an object of `id_token` and `access_token`, each an object of claims. What
    /// is made then has no ``jsonString()``, and a token request that is given it fails.
    public required init(jsonString: String, error: NSErrorPointer) {
        claims = Result { () throws(ClaimsRequest.Malformed) in try ClaimsRequest(parsing: jsonString) }
        super.init()
        if case .failure(let malformed) = claims { error?.pointee = MSALAuthenticationError(malformed) }
    }

    /// As above, for `try`. An addition of this library.
    public init(jsonString: String) throws {
        do throws(ClaimsRequest.Malformed) {
            claims = .success(try ClaimsRequest(parsing: jsonString))
        } catch {
            throw MSALAuthenticationError(error)
        }
    }

    /// Asks for a claim, as it is described now. One of the same name that was asked for before is replaced.
    public func requestClaim(
        _ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget
    ) throws {
        try change { claims throws(AuthenticationFailure) in claims.request(try request.value(), for: target.value) }
    }

    /// Asks for a claim no more. Throws when it was not asked for.
    public func removeClaim(withName name: String, target: MSALClaimsRequestTarget) throws {
        try change { claims throws(AuthenticationFailure) in
            guard claims.remove(name, for: target.value) else {
                throw .caller(
                    .invalidParameter("The claim \u{201C}\(name)\u{201D} was not asked for, so it cannot be removed."))
            }
        }
    }

    /// What is asked for; empty when nothing is. Changing what is returned changes nothing here.
    @discardableResult
    public func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
        (try? claims.get())?.claims(for: target.value).map { MSALIndividualClaimRequest($0) } ?? []
    }

    /// `{}` when nothing is asked for; `nil` when it was made from a text that is no claims request.
    @discardableResult
    open func jsonString() -> String? { (try? claims.get())?.json.serialized }

    /// What is asked for now.
    func value() throws(AuthenticationFailure) -> ClaimsRequest {
        do throws(ClaimsRequest.Malformed) {
            return try claims.get()
        } catch {
            throw .caller(.invalidParameter(error.reason))
        }
    }

    private func change(_ change: (inout ClaimsRequest) throws(AuthenticationFailure) -> Void) throws {
        do throws(AuthenticationFailure) {
            var changed = try value()
            try change(&changed)
            claims = .success(changed)
        } catch {
            throw MSALAuthenticationError(error, correlationID: nil)
        }
    }
}

extension MSALAuthenticationError {
    fileprivate convenience init(_ malformed: ClaimsRequest.Malformed) {
        self.init(.caller(.invalidParameter(malformed.reason)), correlationID: nil)
    }
}

/// Where a claim is wanted (MSAL for iOS and macOS, `MSALClaimsRequestTarget`).
public enum MSALClaimsRequestTarget: UInt, Sendable, CaseIterable {
    /// The ID token.
    case idToken = 0
    /// The access token.
    case accessToken = 1

    var value: ClaimsRequest.Target {
        switch self {
        case .idToken: .idToken
        case .accessToken: .accessToken
        }
    }
}

/// What can be written as JSON (MSAL for iOS and macOS, `MSALJsonSerializable`).
public protocol MSALJsonSerializable {
    /// `nil` when there is nothing that could be written.
    @discardableResult
    func jsonString() -> String?
}

/// What can be read from JSON (MSAL for iOS and macOS, `MSALJsonDeserializable`).
public protocol MSALJsonDeserializable {
    /// Fills `error` when the text cannot be read; what is made then says nothing.
    init(jsonString: String, error: NSErrorPointer)
}

/// Where an initialiser that cannot throw leaves its error: `var error: NSError?`, passed as `&error`. Apple's Foundation
/// has this type, the one of this system lacks it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
