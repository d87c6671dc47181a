import Foundation
import OAuthCore

/// A request for one claim (OpenID Connect Core §5.5; MSAL for iOS and macOS, `MSALIndividualClaimRequest`).
open class MSALIndividualClaimRequest: NSObject {
    /// The name of the claim.
    public var name: String

    /// The requirements on the claim, or `nil` for a voluntary claim.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// Creates a request for a voluntary claim.
    public init(name: String) {
        self.name = name
    }

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
