import Foundation
import MSAL

/// The authority and profile of an account that doesn't belong to the current profile's authority.
package struct AccountHome: Sendable, Equatable {
    /// The name of the account's profile, or `nil` if the configuration has none.
    package let profile: String?
    private let authority: URL?

    package init(of authorities: [URL], among profiles: [(name: String, authority: String)]) {
        authority = authorities.first
        let known = Set(authorities.map { Self.comparable($0.absoluteString) })
        profile = profiles.first { known.contains(Self.comparable($0.authority)) }?.name
    }

    package func advice(changing change: (_ profile: String) -> String) -> String {
        if let profile { return change(profile) }
        return "No profile has its authority\(authority.map { ": add one for \($0.absoluteString)" } ?? ": add one")."
    }

    private static func comparable(_ address: String) -> String {
        address.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    }
}

extension NSError {
    /// Whether a silent call failed because the account belongs to another authority than the application's. At Microsoft
    /// Entra ID, no refresh token is found for it.
    package func says(_ account: MSALAccount, isNotOf application: MSALPublicClientApplication) -> Bool {
        let isReason =
            userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidParameter.rawValue
            || (domain == MSALErrorDomain && code == MSALError.interactionRequired.rawValue)
        return isReason && !application.isOfAuthority(account)
    }
}
