import Foundation
import MSAL

/// A token as the options of a command name it: its scopes, account and resource. Each program that gets tokens uses one.
struct TokenRequest: Sendable {
    /// The options that name a token.
    static let options = [
        TokenCommand.account, TokenCommand.tenant, ResourceAccess.option, ResourceAccess.accountName,
        TokenCommand.noInteraction,
    ]

    let settings: Settings
    var wish: TokenWish
    var accountName: String?
    let resource: URL?
    private let newAccountName: String?
    var forceRefresh = false
    let forbidsInteraction: Bool

    init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        wish = try TokenWish(options)
        resource = try ResourceAccess.url(options[ResourceAccess.option])
        newAccountName = options[ResourceAccess.accountName]
        accountName = options[TokenCommand.account]
        forceRefresh = options.has(TokenCommand.forceRefresh)
        forbidsInteraction = options.has(TokenCommand.noInteraction)
    }

    func profile(in surroundings: Surroundings) throws -> Profile {
        try settings.profile(in: surroundings.environment, forResource: resource)
    }

    /// Whether the user may be asked to sign in.
    func mayInteract(as profile: Profile, in surroundings: Surroundings) -> Bool {
        !forbidsInteraction && (surroundings.canReachUser || profile.browser != nil)
    }

    /// - Parameter server: the server that the user chose for the profile's tokens. A resource has its own.
    func source(
        for profile: Profile, sentTo server: URL? = nil, mayInteract: Bool, in surroundings: Surroundings
    ) async throws -> TokenSource {
        var wish = try wish.completed(by: profile)
        if let server = server ?? resource {
            var destination = wish.destination(server, of: resource, isNamed: true)
            destination?.namesServerOnly = resource == nil && !wish.isNamed(by: settings)
            wish.destination = destination
        }
        let access = resource.map {
            ResourceAccess(
                url: $0, profile: profile, challenge: wish.challenge, accountName: newAccountName,
                namedScopes: wish.namedScopes, settings: settings)
        }
        return try await TokenSource(
            profile: access == nil ? wish.naming(in: profile) : profile, wish: wish, accountName: accountName,
            choice: AccountChoice(settings, profile, mayPrompt: mayInteract, in: surroundings),
            forceRefresh: forceRefresh, settings: settings, access: access, mayInteract: mayInteract, in: surroundings)
    }
}
