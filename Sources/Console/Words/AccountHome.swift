import AuthEngine
import Foundation

/// Where an account gets its tokens that is of another authority than the profile in use.
package struct AccountHome: Sendable, Equatable {
    /// Of the configuration; `nil` when no profile fits.
    package let profile: String?
    private let authority: URL?

    /// - Parameters:
    ///   - authorities: those that the account signed in at.
    ///   - profiles: the names and authorities of the configuration's profiles.
    package init(of authorities: [URL], among profiles: [(name: String, authority: String)]) {
        authority = authorities.first
        let known = Set(authorities.map { Self.comparable($0.absoluteString) })
        profile = profiles.first { known.contains(Self.comparable($0.authority)) }?.name
    }

    /// What to do, as a sentence, where the profile is changed as `change` says.
    package func advice(changing change: (_ profile: String) -> String) -> String {
        if let profile { return change(profile) }
        return "No profile has its authority\(authority.map { ": add one for \($0.absoluteString)" } ?? ": add one")."
    }

    private static func comparable(_ address: String) -> String {
        address.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    }
}

extension NSError {
    /// Whether a silent call failed because the account is of another authority than the application's.
    package func says(_ account: MSALAccount, isNotOf application: MSALPublicClientApplication) -> Bool {
        userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidParameter.rawValue
            && !application.isOfAuthority(account)
    }
}
