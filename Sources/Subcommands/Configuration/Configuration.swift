import Console
import Diagnosis
import Foundation
import MSAL

/// The configuration file, checked.
package struct Configuration: Sendable, Equatable {
    package var defaultProfile: String?
    /// In the order of the file.
    package var profiles: [Profile] = []

    /// The profile a command works with: the one asked for, else the default, else the only one.
    package func profile(named name: String?) -> Profile? {
        if let name = name ?? defaultProfile { return profiles.first { $0.name == name } }
        return profiles.count == 1 ? profiles.first : nil
    }
}

/// One application at one authority, and how to sign in with it.
package struct Profile: Sendable, Equatable {
    package var name: String
    package var clientID: String
    package var authority: URL
    /// How to read the authority's address; `nil`, `auto` in the file: as ``AuthorityKind`` does.
    package var authorityType: AuthorityKind?
    package var knownAuthorities: [URL] = []
    /// `http://localhost` lets the browser come back to a listener of this program, so nothing needs to be installed;
    /// `nil` is the library's default, `msauth.<bundle identifier>://auth`.
    package var redirectURI: String? = "http://localhost"
    /// Where to listen for the browser; `nil` as the redirect URI says.
    package var listener: MSALLoopbackListener?
    /// The browser's command, in place of `$BROWSER`.
    package var browser: String?
    /// Replaces the identifier in the application's registration; `nil` leaves it.
    package var bundleIdentifier: String?
    /// An `Info.plist` to use as the application's registration instead of the program's own.
    package var infoPlist: ConfiguredFile?
    package var scopes: [String] = []
    /// What the application can do when the authority asks for more, as "CP1": handle claims challenges.
    package var clientCapabilities: [String] = []
    package var keychainSharingGroup: String?
    /// How to sign in; `nil` where the file leaves it to the program.
    package var method: SignInMethod?
    /// What to try next, in this order, when that cannot be had.
    package var nextMethods: [SignInMethod] = []
    package var cacheKind: CacheKind = .encrypted
    /// The file of the tokens; `nil` is the database of the sharing group. A unified cache always has one.
    package var cacheFile: String?
    /// Which key the tokens are sealed with.
    package var cacheKey: MSALCacheKeySource = .automatic
    package var cachePassphraseFile: String?
    /// The passphrase before that one, for the time of a change.
    package var cachePreviousPassphraseFile: String?
    /// A PEM file of certificates to trust instead of the system's; `nil` leaves it to the system.
    package var certificateAuthorityFile: String?
    /// Where the last request for a token is kept for a report; `nil`: nowhere.
    package var attemptFile: String?

    package var methods: [SignInMethod] { [method].compactMap(\.self) + nextMethods }

    package init(name: String, clientID: String, authority: URL) {
        self.name = name
        self.clientID = clientID
        self.authority = authority
    }
}

/// How tokens are kept.
package enum CacheKind: String, Sendable, CaseIterable {
    /// In a sealed database of this program's own.
    case encrypted
    /// In a file shared with programs that use other MSAL libraries.
    case unified
}
