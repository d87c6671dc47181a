import Foundation
import OAuthCore

/// A request for claims in tokens, for example those of a claims challenge (OpenID Connect Core §5.5; MSAL for iOS and
/// macOS, `MSALClaimsRequest`).
open class MSALClaimsRequest: NSObject, MSALJsonSerializable, MSALJsonDeserializable {
    /// The claims, or the reason why the text passed to the initialiser isn't a claims request.
    private var claims: Result<ClaimsRequest, ClaimsRequest.Malformed>

    public override init() { claims = .success(ClaimsRequest()) }

    /// Creates a request from the JSON of a claims challenge.
    ///
    /// Sets `error` unless the text is an object with the members `id_token` and `access_token`, each an object of
    /// claims. After an error, ``jsonString()`` is `nil` and a token request with this object fails.
    public required init(jsonString: String, error: NSErrorPointer) {
        claims = Result { () throws(ClaimsRequest.Malformed) in try ClaimsRequest(parsing: jsonString) }
        super.init()
        if case .failure(let malformed) = claims { error?.pointee = MSALAuthenticationError(malformed) }
    }

    /// Creates a request from the JSON of a claims challenge. Throws when the text is invalid. Not in MSAL for iOS and
    /// macOS.
    public init(jsonString: String) throws {
        do { claims = .success(try ClaimsRequest(parsing: jsonString)) } catch { throw MSALAuthenticationError(error) }
    }

    /// Creates a request from the claims of a resource's challenge: JSON, or JSON in base64 or base64url. Throws when the
    /// text is invalid. Not in MSAL for iOS and macOS.
    public init(challenge text: String) throws {
        do { claims = .success(try ClaimsRequest(challenge: text)) } catch { throw MSALAuthenticationError(error) }
    }

    /// Requests a claim. Replaces an earlier request for the same claim. Later changes to `request` have no effect.
    public func requestClaim(_ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget) throws {
        try change { claims throws(AuthenticationFailure) in claims.request(try request.value(), for: target.value) }
    }

    /// Removes a claim from the request. Throws when the request doesn't contain it.
    public func removeClaim(withName name: String, target: MSALClaimsRequestTarget) throws {
        try change { claims throws(AuthenticationFailure) in
            guard claims.remove(name, for: target.value) else {
                throw .invalid("The request doesn't contain the claim \"\(name)\".")
            }
        }
    }

    /// Returns copies of the requested claims. Empty when no claim is requested.
    @discardableResult
    public func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
        (try? claims.get())?.claims(for: target.value).map { MSALIndividualClaimRequest($0) } ?? []
    }

    /// The request as JSON: `{}` when no claim is requested, `nil` after the initialiser reported an error.
    @discardableResult
    open func jsonString() -> String? { (try? claims.get())?.json.serialized }

    /// Returns the current claims. Throws after the initialiser reported an error.
    func value() throws(AuthenticationFailure) -> ClaimsRequest {
        do { return try claims.get() } catch { throw .invalid(error.reason) }
    }

    private func change(_ change: (inout ClaimsRequest) throws(AuthenticationFailure) -> Void) throws {
        do throws(AuthenticationFailure) {
            var changed = try value()
            try change(&changed)
            claims = .success(changed)
        } catch { throw MSALAuthenticationError(error) }
    }
}

extension MSALAuthenticationError {
    fileprivate convenience init(_ malformed: ClaimsRequest.Malformed) { self.init(.invalid(malformed.reason)) }
}

/// The token that is to contain a claim (MSAL for iOS and macOS, `MSALClaimsRequestTarget`).
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

/// A type with a JSON representation (MSAL for iOS and macOS, `MSALJsonSerializable`).
public protocol MSALJsonSerializable {
    /// The JSON representation, or `nil` when the object has none.
    @discardableResult
    func jsonString() -> String?
}

/// A type that can be created from JSON (MSAL for iOS and macOS, `MSALJsonDeserializable`).
public protocol MSALJsonDeserializable {
    /// Creates an object from JSON. Sets `error` when the text is invalid; the object is then empty.
    init(jsonString: String, error: NSErrorPointer)
}

/// A pointer to the error of an initialiser that can't throw: declare `var error: NSError?` and pass `&error`.
/// Foundation for Linux lacks this type.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// A request for one claim (OpenID Connect Core §5.5; MSAL for iOS and macOS, `MSALIndividualClaimRequest`).
open class MSALIndividualClaimRequest: NSObject {
    /// The name of the claim.
    public var name: String

    /// The requirements on the claim, or `nil` for a voluntary claim.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// Creates a request for a voluntary claim.
    public init(name: String) { self.name = name }

    convenience init(_ claim: ClaimsRequest.Claim) {
        self.init(name: claim.name)
        additionalInfo = claim.details.map { MSALIndividualClaimRequestAdditionalInfo($0) }
    }

    /// Returns the current request. Throws when the name is empty or a required value isn't valid JSON.
    func value() throws(AuthenticationFailure) -> ClaimsRequest.Claim {
        guard !name.isEmpty else { throw .invalid("The requested claim has no name.") }
        guard let additionalInfo else { return ClaimsRequest.Claim(name) }
        guard let details = additionalInfo.details else {
            throw .invalid("The value of the claim \"\(name)\" can't be written as JSON.")
        }
        return ClaimsRequest.Claim(name, details)
    }
}

/// The requirements on a claim (OpenID Connect Core §5.5.1; MSAL for iOS and macOS,
/// `MSALIndividualClaimRequestAdditionalInfo`).
open class MSALIndividualClaimRequestAdditionalInfo: NSObject {
    /// Whether the claim is essential. Any number but 0 means yes.
    public var essential: NSNumber?

    /// The required value of the claim, of any JSON type.
    public var value: Any?

    /// The accepted values of the claim in order of preference, of any JSON type.
    public var values: [Any]?

    public override init() {}

    convenience init(_ details: ClaimsRequest.Details) {
        self.init()
        essential = details.isEssential.map { NSNumber(value: $0) }
        value = details.value?.foundationObject
        values = details.values?.map(\.foundationObject)
    }

    /// The requirements, or `nil` when `value` or `values` can't be written as JSON.
    var details: ClaimsRequest.Details? {
        var details = ClaimsRequest.Details(isEssential: essential?.boolValue)
        if let value {
            guard let json = JSONValue(foundationObject: value) else { return nil }
            details.value = json
        }
        if let values {
            guard let json = JSONValue(foundationObject: values)?.array else { return nil }
            details.values = json
        }
        return details
    }
}
