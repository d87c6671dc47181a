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
    package var loginHint, domainHint: String?
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

    func moved(by distance: Int) -> MSALPromptType { Self.allCases.next(after: self, by: distance) ?? self }
}

/// A sign-in method: where the user signs in, and how the response reaches the program.
package enum SignInMethod: String, Sendable, CaseIterable {
    /// A browser on this machine, which redirects to the program.
    case browser
    /// Any browser; the user pastes its final address.
    case paste
    /// Any browser, where the user enters a code (RFC 8628).
    case device
    /// The identity broker of the user's desktop session, if the organisation installed one.
    case broker

    private var words: (title: String, object: String, phrase: String) {
        switch self {
        case .browser: ("Browser", "the browser", "with the browser")
        case .paste: ("Paste", "a pasted URL", "with any browser")
        case .device: ("Device", "a device code", "with a device code")
        case .broker: ("Broker", "the identity broker", "with the identity broker")
        }
    }

    var title: String { words.title }
    var asObject: String { words.object }
    /// The method as a phrase after "sign in".
    var inWords: String { words.phrase }
}
