import Console
import Diagnosis
import Foundation
import MSAL

package struct Configuration: Sendable, Equatable {
    package var defaultProfile: String?
    package var profiles: [Profile] = []
    package var carry: [CarryRule] = []

    /// The profile with this name, else the default, else the only one.
    package func profile(named name: String?) -> Profile? {
        if let name = name ?? defaultProfile { return profiles.first { $0.name == name } }
        return profiles.count == 1 ? profiles.first : nil
    }
}

/// What a server gets over 'keyturn ssh'.
package struct CarryRule: Sendable, Equatable {
    /// When the user is asked.
    package enum Question: String, Sendable, CaseIterable { case use, host }

    package var host: String
    /// `nil` for the default profile.
    package var profile: String?
    package var account: String?
    /// Empty for any of its resources'.
    package var scopes: [String] = []
    package var resources: [URL] = []
    package var question: Question?
    /// Whether the pages of the profile's client open here without a question, for sign-ins on the server.
    package var opensSignIns = false
}

package struct Profile: Sendable, Equatable {
    package var name: String
    package var clientID: String
    package var own = OwnSettings()
    package var clientSecret: ClientSecretSource?
    package var authority: URL
    /// The authority's type; `nil` (`auto` in the file) to determine it from the URL.
    package var authorityType: AuthorityKind?
    package var endpoints = OAuthEndpoints()
    package var knownAuthorities: [URL] = []
    /// The redirect URI. `http://localhost` returns to this program's listener without a handler. `nil` is the library's
    /// default, `msauth.<bundle identifier>://auth`.
    package var redirectURI: String? = "http://localhost"
    /// The address to listen on for the browser; `nil` for the redirect URI's.
    package var listener: MSALLoopbackListener?
    /// The browser's command; `nil` for `$BROWSER`.
    package var browser: String?
    /// The bundle identifier; `nil` for the registration's.
    package var bundleIdentifier: String?
    /// The Info.plist of the registration; `nil` for the program's own.
    package var infoPlist: ConfiguredFile?
    package var scopes: [String] = []
    /// The scopes in the file that are requested anyway, of providers that list them.
    package var requiredReservedScopes: [String] = []
    package var extraParameters: [String: String] = [:]
    /// The API that the tokens are for, sent as `audience`.
    package var audience: String?
    /// The scopes of the tokens that servers may have, by origin.
    package var resources: [URL: [String]] = [:]
    /// The servers to which the organisation that the authority belongs to grants access, by origin.
    package var managedServers: [URL: ManagedServer] = [:]
    /// The client capabilities, for example "CP1" for claims challenges.
    package var clientCapabilities: [String] = []
    package var keychainSharingGroup: String?
    /// Whether requests for a resource's tokens send `resource`. Microsoft Entra ID rejects it.
    package var sendsResource = true
    /// The https address of this client's metadata document.
    package var clientMetadata: URL?
    /// The token that commands print; `nil` for the format's.
    package var token: TokenKind?
    /// The sign-in method; `nil` for the program's choice.
    package var method: SignInMethod?
    package var nextMethods: [SignInMethod] = []
    package var cacheKind: CacheKind = .encrypted
    /// The token cache; `nil` for the sharing group's database. Required for a unified cache.
    package var cacheFile: String?
    package var cacheKey: MSALCacheKeySource = .automatic
    package var cachePassphraseFile: String?
    /// The file with the previous passphrase, during a change.
    package var cachePreviousPassphraseFile: String?
    /// A PEM file of trusted certificates; `nil` for the system's.
    package var certificateAuthorityFile: String?
    /// The file for the last token request, for the support report; `nil` to not keep it.
    package var attemptFile: String?

    /// How many seconds before its expiry a token isn't used any more; `nil` for the library's rule.
    var tokenExpirationBuffer: Double?

    package var methods: [SignInMethod] { [method].compactMap(\.self) + nextMethods }

    var secretSources: [ClientSecretSource] {
        ([clientSecret] + managedServers.values.map(\.clientSecret)).compactMap(\.self)
    }

    package init(name: String, clientID: String, authority: URL) {
        self.name = name
        self.clientID = clientID
        self.authority = authority
    }
}

/// The endpoints of a server without OpenID Connect that a profile names.
package struct OAuthEndpoints: Sendable, Equatable {
    package var addresses: MSALOAuthAuthority.Endpoints?
    package var account: MSALOAuthAuthority.AccountSource?
}

/// The client at the authority of a server to which the organisation grants access.
package struct ManagedServer: Sendable, Equatable {
    package var authority: URL
    package var clientID: String
    package var clientSecret: ClientSecretSource?
}

/// Where the secret of a provider's client is. Never in the configuration itself.
package enum ClientSecretSource: Sendable, Equatable {
    case file(String)
    case environment(String)
    /// A program that prints it, with its arguments.
    case command([String])
    case stored
    /// The user's input for this command, which isn't stored before the authority has accepted it.
    case entered(String)
}

package enum CacheKind: String, Sendable, CaseIterable {
    case encrypted
    /// An unencrypted file shared with other MSAL libraries.
    case unified
}

package enum TokenKind: String, Sendable, CaseIterable { case access, id }
