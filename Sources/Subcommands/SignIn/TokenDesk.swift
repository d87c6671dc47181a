import Foundation
import KeyturnSystem
import MSAL

/// Gets the tokens of one profile, or of the resources that demands name. One for each program that sends tokens.
/// A token is held until shortly before its expiry. Requests at the same time that demand the same share the work and its
/// result, so that a rejected token costs one refresh and one window (docs/resources.md).
final class TokenDesk: Sendable {
    struct Token: Sendable {
        let result: MSALResult
        var isOfSignIn = false
        /// What the token is for, if that is less than the origin of the request.
        var resource: URL?

        /// The access token for another program. Throws if it isn't one that a header or a file can have.
        func printed() throws -> PrintedToken {
            let printed = try PrintedToken(.access, of: result)
            _ = try TokenFormat.printable(printed.text)
            return printed
        }
    }

    /// There is no token without a sign-in that isn't allowed, or none in the place of a rejected one.
    struct NoToken: Error {}

    private struct Held {
        /// `nil` for none, until the server demands one.
        var token: Token?
        var until: Date
    }

    private struct Shared {
        let rejection: String?
        let result: Result<Token, any Error>
    }

    private struct State {
        var held: [[String]: Held] = [:]
        /// How long the authority's tokens live, in seconds.
        var life: TimeInterval?
        /// The rejections for which the user did not sign in. Another window would open for each further request.
        var vain: Set<String> = []
        var limits = RejectionLimits()
    }

    let profile: Profile
    private let application: MSALPublicClientApplication?
    private let carried: CarriedTokens?
    private let choice: AccountChoice
    private let mayInteract: Bool
    private let longestUse: TimeInterval
    private let patience: Duration?
    private let surroundings: Surroundings
    private let work: SharedWork<[String], Shared>
    private let state = Locked(State())

    /// - Parameters:
    ///   - carries: whether the command can use the tokens of the user's own computer.
    ///   - longestUse: seconds without a look into the cache, which knows of sign-outs and of the user's other programs.
    ///   - patience: how long the user may take, where servers demand sign-ins at any time. Then such windows have a limit,
    ///     and wait for the user even if nobody waits for the token.
    init(
        _ demand: Demand, _ profile: Profile? = nil, application: MSALPublicClientApplication? = nil,
        carries: Bool = false, mayInteract: Bool = true, longestUse: TimeInterval = .infinity,
        patience: Duration? = nil, in surroundings: Surroundings
    ) throws {
        var carried = carries ? try CarriedTokens.find(demand.settings, in: surroundings.environment) : nil
        if !demand.settings.isQuiet { carried?.tell = surroundings.tell }
        self.carried = carried
        let profile =
            try profile ?? (carried == nil ? demand.profile(in: surroundings) : demand.settings.carriedProfile)
        self.mayInteract =
            carried == nil && mayInteract && !demand.forbidsInteraction
            && (surroundings.canReachUser || profile.browser != nil)
        choice = AccountChoice(demand.settings, profile, mayPrompt: self.mayInteract, in: surroundings)
        work = SharedWork(outlivesCallers: patience != nil)
        (self.profile, self.application, self.surroundings) = (profile, application, surroundings)
        (self.longestUse, self.patience) = (longestUse, patience)
    }

    var isCarried: Bool { carried != nil }

    /// How long before its expiry a token is replaced: a fifth of its lifetime, at most 5 minutes.
    static func margin(ofLifetime seconds: TimeInterval) -> TimeInterval { min(300, max(0, seconds) / 5) }

    /// The token for a demand: held, from the cache, by a refresh or by a sign-in. Throws ``NoToken`` if it could be had
    /// only in a way that isn't allowed.
    func token(for demand: Demand, after rejection: Rejection? = nil, mayInteract: Bool = true) async throws -> Token {
        while true {
            if let held = held(for: demand, rejection) { return try held.get() }
            let shared = try await work.value(for: demand.key) { [self] in
                try await get(demand, rejection, mayInteract: mayInteract && self.mayInteract)
            }
            if shared.rejection == rejection?.key { return try shared.result.get() }
        }
    }

    func cancel() async { await work.cancel() }

    private func held(for demand: Demand, _ rejection: Rejection?) -> Result<Token, NoToken>? {
        let now = surroundings.now()
        return state.withLock { state in
            guard !demand.forceRefresh, let held = state.held[demand.key], now < held.until else { return nil }
            guard let rejection else { return held.token.map(Result.success) ?? .failure(NoToken()) }
            // Another request has replaced the token since.
            guard let sent = rejection.sent, let token = held.token, token.result.authorizationHeader != sent else {
                return nil
            }
            return .success(token)
        }
    }

    private func get(_ demand: Demand, _ rejection: Rejection?, mayInteract: Bool) async throws -> Shared {
        let key = rejection?.key
        let (held, life, isVain) = state.withLock { state in
            (state.held[demand.key]?.token, state.life, key.map(state.vain.contains) ?? false)
        }
        let mayInteract = mayInteract && !isVain
        let work: @Sendable () async -> Result<Token, any Error> = { [self] in
            await Result { try await obtain(demand, rejection, held, life: life, mayInteract: mayInteract) }
        }
        let limit = mayInteract && rejection != nil ? patience : nil
        let overdue = Failure(
            .interactionRequired, name: "signInTimeout",
            "Nobody signed in within \((limit ?? .zero).components.seconds / 60) minutes.",
            nextStep: "Run 'keyturn sign-in'.")
        let result = if let limit { await within(limit, work) ?? .failure(overdue) } else { await work() }
        let own = noted(result, demand, rejection, held, mayInteract)
        // The cancellation doesn't concern callers that came after it.
        if Task.isCancelled { _ = try own.get() }
        return Shared(rejection: key, result: own)
    }

    /// Keeps a result for others, and what it says of the next one.
    private func noted(
        _ result: Result<Token, any Error>, _ demand: Demand, _ rejection: Rejection?, _ held: Token?, _ wasAsked: Bool
    ) -> Result<Token, any Error> {
        let now = surroundings.now()
        return state.withLock { state in
            switch result {
            case .success(var token):
                let left = token.result.expiresOn.map { $0.timeIntervalSince(now) }
                if let left, !token.result.isFromCache { state.life = left }
                token.isOfSignIn = false
                state.held[demand.key] = Held(token: token, until: now + use(of: left))
                state.vain = []
            case .failure(is NoToken):
                if rejection == nil { state.held[demand.key] = Held(until: now + use(of: nil)) }
            case .failure(let error):
                guard let rejection else {
                    // In an outage, a token is good to its end.
                    guard let held, let expiry = held.result.expiresOn, expiry > now else { break }
                    state.held[demand.key] = Held(token: held, until: min(now + Self.pause, expiry))
                    return .success(held)
                }
                if wasAsked, Failure(reporting: error).exitCode != .network { state.vain.insert(rejection.key) }
            }
            return result
        }
    }

    private static let pause: TimeInterval = 10

    private func use(of left: TimeInterval?) -> TimeInterval {
        min(longestUse, left.map { max(0, $0 - Self.margin(ofLifetime: $0)) } ?? .infinity)
    }

    private func token(
        for demand: Demand, _ rejection: Rejection?, from carried: CarriedTokens
    ) async throws -> Token {
        do {
            return Token(result: try await carried.token(for: demand, after: rejection))
        } catch let error as Failure where demand.isTentative && rejection == nil && error.isUncarried {
            throw NoToken()
        }
    }

    private func obtain(
        _ demand: Demand, _ rejection: Rejection?, _ held: Token?, life: TimeInterval?, mayInteract: Bool
    ) async throws -> Token {
        if let carried { return try await token(for: demand, rejection, from: carried) }
        var profile = profile
        // Else the cache renews a token of a short life each time.
        profile.tokenExpirationBuffer = life.map(Self.margin)
        var access = DemandedApplication(
            demand: try demand.completed(by: profile), profile: demand.naming(in: profile), choice: choice,
            application: application)
        switch rejection?.means {
        case nil where !demand.isTentative, .suitable: break
        case nil: return try await cached(access)
        case .refreshed:
            do {
                // Another process may have got one meanwhile.
                let cached = try await cached(access)
                if cached.result.authorizationHeader != rejection?.sent { return cached }
            } catch is NoToken {}
            let (now, expiry) = (surroundings.now(), held?.result.expiresOn)
            guard state.withLock({ $0.limits.allowsRefresh(of: expiry, at: now) }) else { throw NoToken() }
            access.demand.forceRefresh = true
        case .signedIn:
            guard mayInteract else { throw NoToken() }
            access.skipsCache = true
        }
        if let rejection { access.demand.challenge = rejection.challenge }
        try await access.find(mayInteract: mayInteract, in: surroundings)
        guard rejection?.maySignIn != false else { return try await silent(access) }
        let signsIn = Locked(false)
        access.willSignIn = { [self] in
            if patience != nil {
                let (now, server) = (surroundings.now(), demand.server?.hostAndPort ?? "The server")
                try state.withLock { try $0.limits.openWindow(for: server, at: now) }
            }
            signsIn.withLock { $0 = true }
        }
        let result = try await access.result(mayInteract: mayInteract, in: surroundings)
        return try token(result, of: access, isOfSignIn: signsIn.withLock(\.self))
    }

    private func cached(_ access: DemandedApplication) async throws -> Token {
        var access = access
        guard try access.findKnown() else { throw NoToken() }
        return try await silent(access)
    }

    private func silent(_ access: DemandedApplication) async throws -> Token {
        guard let result = try await access.silentlyOrNone(in: surroundings) else { throw NoToken() }
        return try token(result, of: access)
    }

    private func token(_ result: MSALResult, of access: DemandedApplication, isOfSignIn: Bool = false) throws -> Token {
        var token = Token(result: result, isOfSignIn: isOfSignIn)
        guard access.demand.isTentative, access.demand.isOfResource else { return token }
        // What a profile's client gets can be agreed for the URL alone.
        token.resource = try (access.application ?? access.known())?.configuration.resource.flatMap {
            $0.clientSource == .configuration ? $0.url : URL(string: $0.identifier)
        }
        return token
    }
}
