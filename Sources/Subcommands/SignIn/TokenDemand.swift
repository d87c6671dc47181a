import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// What a request asks of its token: any before it is sent, and then what a server's response demands.
struct TokenDemand: Sendable {
    enum Means: Sendable {
        /// Before the first request: one that needs no sign-in, or none.
        case first
        /// One that meets the challenge.
        case suitable
        /// Another one in place of a rejected one.
        case refreshed
        /// One of a new sign-in, because the refreshed one was rejected too.
        case signedIn
    }

    var means: Means
    var challenge: MSALChallenge?
    /// Whether the user may be asked, if the command allows it.
    var maySignIn = true
    /// Whether a refresh may be spent, if the cache has no other token.
    var mayRefresh = true
    /// The header that the server has rejected.
    var rejected: String?

    static let first = TokenDemand(means: .first)

    /// Equal for demands that one token meets.
    var key: String { "\(means) \(challenge?.demand ?? "")" }

    /// A token, and whether the user has signed in for it.
    struct Outcome: Sendable {
        let result: MSALResult
        var isOfSignIn = false
        /// What the token is for, if that is less than the origin of the request.
        var resource: URL?
    }
}

/// The one rule for responses that demand a token, of everything that sends tokens: what the challenge asks for, once more if it
/// asks for more, and for a token that was sent and answered 401 one refresh, one sign-in, and then the truth
/// (docs/resources.md).
struct TokenRejections: Sendable {
    private var demands: Set<String> = []
    private var hasWantedMore = false
    private var hasRefreshed = false
    private var hasSignedIn = false

    /// The token to get after a response; `nil` if no other one would help.
    ///
    /// - Parameter fields: the challenges of the response; `nil` if it has none that a token answers.
    mutating func demand(after status: Int, _ fields: [String]?, hasSentToken: Bool) throws -> TokenDemand? {
        guard let fields else { return nil }
        let challenge = try Self.challenge(fields, isRejection: hasSentToken && status == 401)
        let isNew = demands.insert(challenge.demand).inserted
        guard hasSentToken else { return demands.count == 1 && isNew ? TokenDemand(.suitable, challenge) : nil }
        if isNew, challenge.wantsMore {
            guard !hasWantedMore else { return nil }
            hasWantedMore = true
            return TokenDemand(.suitable, challenge)
        }
        guard status == 401, !challenge.requiresSignIn else { return nil }
        if !hasRefreshed {
            hasRefreshed = true
            return TokenDemand(.refreshed, challenge, maySignIn: !hasSignedIn)
        }
        guard !hasSignedIn else { return nil }
        hasSignedIn = true
        return TokenDemand(.signedIn, challenge)
    }

    mutating func note(_ outcome: TokenDemand.Outcome) { hasSignedIn = hasSignedIn || outcome.isOfSignIn }

    /// A server that names another scheme, or none, has rejected a Bearer token all the same.
    private static func challenge(_ fields: [String], isRejection: Bool) throws -> MSALChallenge {
        let namesScheme = fields.contains { field in ["bearer", "dpop"].contains { field.lowercased().contains($0) } }
        return try Failure.challenge(nextStep: "Ask the API's operator.") {
            try MSALChallenge(headers: isRejection && !namesScheme ? ["Bearer"] : fields)
        }
    }
}

extension TokenDemand {
    init(_ means: Means, _ challenge: MSALChallenge?, maySignIn: Bool = true) {
        self.init(means: means, challenge: challenge, maySignIn: maySignIn)
    }
}

extension MSALChallenge {
    /// Whether the challenge names what the token lacks, rather than only rejecting it.
    fileprivate var wantsMore: Bool { !scopes.isEmpty || claims != nil || acrValues != nil || maxAge != nil }
}

/// How often the rejections of one server may cost a refresh or a window, whatever came of the earlier ones.
final class RejectionLimits: Sendable {
    /// The pause between two refreshes: a server may reject every token.
    private static let pause: TimeInterval = 30
    /// The windows in an hour.
    static let mostSignIns = 3
    private static let hour: TimeInterval = 3600

    private let state = Locked((lastRefresh: Date?.none, signIns: [Date]()))
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// - Parameter expiry: of the rejected token. That an expired one is rejected is no reason to wait.
    func allowsRefresh(of expiry: Date?) -> Bool {
        let now = now()
        return state.withLock { state in
            let isExpired = expiry.map { $0 <= now } ?? false
            let isEarly = state.lastRefresh.map { now.timeIntervalSince($0) <= Self.pause } ?? false
            if isExpired || !isEarly { state.lastRefresh = now }
            return isExpired || !isEarly
        }
    }

    /// Counts a window that is about to open. Throws if that is one too many.
    func openWindow(for server: String) throws(Failure) {
        let now = now()
        let mayOpen = state.withLock { state in
            state.signIns.removeAll { now.timeIntervalSince($0) >= Self.hour }
            guard state.signIns.count < Self.mostSignIns else { return false }
            state.signIns.append(now)
            return true
        }
        guard !mayOpen else { return }
        throw Failure(
            .interactionRequired, name: "tooManySignIns",
            "\(server) has required \(Self.mostSignIns) sign-ins within an hour. Keyturn opens no other browser for it now.",
            nextStep: "Ask the server's operator why it accepts no token, or run 'keyturn sign-in'.")
    }
}
