import Foundation
import OAuthCore

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
