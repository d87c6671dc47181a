import Foundation
import MSAL
import TerminalUI

package struct SignInRequest: Sendable, Equatable {
    package var scopes: [String]
    /// The identifier of the account that must sign in again; nil for any account.
    package var account: String?
    package var method: SignInMethod
    /// The API that names the authority; nil for the profile's.
    package var resource: URL?
    package var prompt = MSALPromptType.default
    package var loginHint: String?
    package var domainHint: String?
    /// The tenant to use instead of the profile's.
    package var tenant: String?
    /// The claims request as unparsed JSON.
    package var claims: String?

    package init(scopes: [String], account: String? = nil, method: SignInMethod = .browser) {
        self.scopes = scopes.withoutAlwaysRequested
        self.account = account
        self.method = method
    }
}

extension Sequence<String> {
    /// The scopes without those that the library adds to every request and rejects from callers (OpenID Connect Core
    /// §3.1.2.1, §11). Users may still type them, as provider documentation recommends.
    package var withoutAlwaysRequested: [String] { filter { !$0.isAlwaysRequested } }

    /// The others.
    package var alwaysRequested: [String] { filter(\.isAlwaysRequested) }
}

extension String {
    fileprivate var isAlwaysRequested: Bool { ["openid", "profile", "offline_access"].contains(lowercased()) }
}

extension MSALPromptType {
    var title: String {
        switch self {
        case .promptIfNecessary: "only if needed"
        case .selectAccount: "choose an account"
        case .login: "sign in again"
        case .consent: "consent again"
        case .create: "create an account"
        }
    }

    /// The next or previous prompt, wrapping around.
    func moved(by distance: Int) -> MSALPromptType { Self.allCases.next(after: self, by: distance) ?? self }
}
