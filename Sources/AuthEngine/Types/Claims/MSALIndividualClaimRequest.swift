import Foundation
import OAuthCore

/// One claim that is wanted (OpenID Connect Core §5.5; MSAL for iOS and macOS, `MSALIndividualClaimRequest`).
open class MSALIndividualClaimRequest: NSObject {
    /// The claim.
    public var name: String

    /// `nil`: wanted in the ordinary way.
    public var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

    /// A claim that is welcome, but not essential.
    public init(name: String) {
        self.name = name
    }

    convenience init(_ claim: ClaimsRequest.Claim) {
        self.init(name: claim.name)
        additionalInfo = claim.details.map { MSALIndividualClaimRequestAdditionalInfo($0) }
    }

    /// What it says now.
    func value() throws(AuthenticationFailure) -> ClaimsRequest.Claim {
        guard !name.isEmpty else { throw .caller(.invalidParameter("The claim that is asked for has no name.")) }
        guard let additionalInfo else { return ClaimsRequest.Claim(name) }
        guard let details = additionalInfo.details else {
            throw .caller(
                .invalidParameter(
                    "The value wanted of the claim \u{201C}\(name)\u{201D} is nothing that JSON can say."))
        }
        return ClaimsRequest.Claim(name, details)
    }
}
