import Foundation
import OAuthCore

/// What is wanted of a claim besides its presence (OpenID Connect Core §5.5.1; MSAL for iOS and macOS,
/// `MSALIndividualClaimRequestAdditionalInfo`).
open class MSALIndividualClaimRequestAdditionalInfo: NSObject {
    /// Whether the sign-in is no good without it. Not 0 means yes.
    public var essential: NSNumber?

    /// The value it has to have. Anything that JSON can say.
    public var value: Any?

    /// The values it may have, the likeliest first. Anything that JSON can say.
    public var values: [Any]?

    public override init() {}

    convenience init(_ details: ClaimsRequest.Details) {
        self.init()
        essential = details.isEssential.map { NSNumber(value: $0) }
        value = details.value?.foundationObject
        values = details.values?.map(\.foundationObject)
    }

    /// `nil` when `value` or `values` hold what JSON cannot say.
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
