import Console
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// Which tokens a command sends to the URL of its argument, as its options say: those that the API itself names, or a profile's.
struct APIAccess: Sendable {
    /// The options that name a token.
    static let options = [
        TokenCommand.scope, TokenCommand.account, ResourceAccess.namedOption, ResourceAccess.accountName,
        TokenCommand.noInteraction,
    ]

    let settings: Settings
    let url: URL
    private let wish: TokenWish
    private let accountName: String?
    private let newAccountName: String?
    private let namedResource: URL?
    private let forbidsInteraction: Bool

    init(_ options: ParsedOptions, of command: CommandSpecification) throws(UsageError) {
        settings = try Settings(options)
        let operand = options.operands.first ?? ""
        guard let url = URL(string: operand), url.scheme != nil, url.host() != nil else {
            throw .unknownOperand(operand, wanted: "an https URL", command: command.name)
        }
        self.url = url
        wish = try TokenWish(options)
        accountName = options[TokenCommand.account]
        newAccountName = options[ResourceAccess.accountName]
        namedResource = try ResourceAccess.url(options[ResourceAccess.namedOption])
        forbidsInteraction = options.has(TokenCommand.noInteraction)
    }

    private var isNamed: Bool { wish.isNamed(by: settings) }

    /// The URL, if the API itself says where its tokens come from: neither the command line nor the profile names it.
    func resource(in environment: [String: String]) -> URL? {
        if let namedResource { return namedResource }
        return isNamed || isProfiles(in: environment) ? nil : url
    }

    /// Whether the URL is of the profile's own API. That of a profile which nobody chose can be of its authority's, too.
    private func isProfiles(in environment: [String: String]) -> Bool {
        guard let profile = try? settings.profile(in: environment), let application = try? profile.application() else {
            return false
        }
        let isChosen = accountName != nil || settings.namesProfile(in: environment)
        return (isChosen || url.origin != profile.authority.origin) && application.names(url, scopes: profile.scopes)
    }

    func tokens(in surroundings: Surroundings) throws -> Tokens {
        let resource = resource(in: surroundings.environment)
        let chosen = try settings.profile(in: surroundings.environment, forResource: resource)
        var wish = try wish.completed(by: chosen)
        let destination = wish.destination(url, of: resource, isNamed: isNamed)
        wish.destination = destination
        let access = resource.map {
            ResourceAccess(
                url: $0, profile: chosen, accountName: newAccountName, namedScopes: wish.namedScopes,
                settings: settings)
        }
        let profile = access == nil ? wish.naming(in: chosen) : chosen
        let mayInteract = !forbidsInteraction && (surroundings.canReachUser || profile.browser != nil)
        return Tokens(
            profile: profile, mayInteract: mayInteract, wish: wish, accountName: accountName,
            choice: AccountChoice(settings, profile, mayPrompt: mayInteract, in: surroundings), access: access,
            isOfResource: resource?.origin == url.origin, settings: settings, surroundings: surroundings)
    }

    /// The tokens for the API.
    struct Tokens: Sendable {
        var profile: Profile
        /// Whether the user may be asked to sign in.
        var mayInteract: Bool
        fileprivate let wish: TokenWish
        fileprivate let accountName: String?
        fileprivate let choice: AccountChoice
        fileprivate var access: ResourceAccess?
        /// Whether the server is the one of the resource. Another one's challenge says nothing about the resource.
        fileprivate let isOfResource: Bool
        fileprivate let settings: Settings
        fileprivate let surroundings: Surroundings
        /// Called before the user is asked to sign in. Throws if that may not be.
        var willSignIn: @Sendable () throws -> Void = {}

        /// The same, with cached tokens that are used until this many seconds before they expire.
        func using(untilExpiryIn seconds: Double) -> Tokens {
            var tokens = self
            tokens.profile.tokenExpirationBuffer = seconds
            tokens.access?.profile.tokenExpirationBuffer = seconds
            return tokens
        }

        /// The token for a demand; `nil` if there is none without a sign-in that the demand doesn't allow.
        func token(for demand: TokenDemand) async throws -> TokenDemand.Outcome? {
            var (wish, access) = (wish, access)
            wish.challenge = demand.challenge
            if isOfResource { access?.challenge = demand.challenge }
            guard demand.means != .first else {
                guard let application = try access.map({ try $0.knownApplication() }) ?? profile.application() else {
                    return nil
                }
                let source = TokenSource(
                    application: application, profile: profile, wish: try wish.completed(by: application),
                    accountName: accountName, choice: choice, forceRefresh: false, settings: settings, access: access)
                return try await source.silentlyOrNone(in: surroundings).map { try outcome($0, by: application) }
            }
            guard demand.means != .signedIn || mayInteract else { return nil }
            if demand.means == .refreshed {
                // Another process may have got one meanwhile.
                let cached = try await token(for: .first)
                if let cached, cached.result.authorizationHeader != demand.rejected { return cached }
                guard demand.mayRefresh else { return nil }
            }
            var source = try await TokenSource(
                profile: profile, wish: wish, accountName: accountName, choice: choice,
                forceRefresh: demand.means == .refreshed, settings: settings, access: access, mayInteract: mayInteract,
                in: surroundings)
            source.skipsCache = demand.means == .signedIn
            guard demand.maySignIn else {
                return try await source.silentlyOrNone(in: surroundings).map { try outcome($0, by: source.application) }
            }
            let signsIn = Locked(false)
            source.willSignIn = { [willSignIn] in
                try willSignIn()
                signsIn.withLock { $0 = true }
            }
            let result = try await source.result(mayInteract: mayInteract, in: surroundings)
            return try outcome(result, by: source.application, isOfSignIn: signsIn.withLock(\.self))
        }

        /// - Parameter application: the one that got the token; `nil` for one that a sign-in has just made.
        private func outcome(
            _ result: MSALResult, by application: MSALPublicClientApplication?, isOfSignIn: Bool = false
        ) throws -> TokenDemand.Outcome {
            var outcome = TokenDemand.Outcome(result: result, isOfSignIn: isOfSignIn)
            guard isOfResource, let access else { return outcome }
            let known = try application ?? access.knownApplication()
            // What a profile's client gets can be agreed for the URL alone.
            outcome.resource = known?.configuration.resource.flatMap {
                $0.clientSource == .configuration ? $0.url : URL(string: $0.identifier)
            }
            return outcome
        }
    }
}
