import Foundation
import MSAL

/// The default account of a profile or a resource: the one to use when several fit and none is named.
///
/// Its identifier is saved beside the screen's choices (docs/decisions/0045-command-line.md). Not a secret.
package struct DefaultAccount: Sendable {
    private let file: SavedChoicesFile
    /// The name of the profile, or the URL of the resource.
    private let place: String

    package init(
        of application: MSALPublicClientApplication, profile: String, in environment: [String: String]
    ) {
        file = SavedChoicesFile(in: environment)
        place = application.configuration.resource?.url.absoluteString ?? profile
    }

    /// The identifier of the account, which may no longer be cached; `nil` if there is no default, or the file is unreadable.
    package var identifier: String? { (try? file.choices(of: place))?.account }

    /// - Parameter account: `nil` for no default.
    package func set(_ account: MSALAccount?) throws {
        guard account != nil || identifier != nil else { return }
        try file.change(place) { $0.account = account?.identifier }
    }
}

extension Settings {
    func defaultAccount(
        of application: MSALPublicClientApplication, forResource resource: URL?, in environment: [String: String]
    ) -> DefaultAccount {
        let profile = try? profile(in: environment, forResource: resource)
        return DefaultAccount(of: application, profile: profile?.name ?? "", in: environment)
    }
}
