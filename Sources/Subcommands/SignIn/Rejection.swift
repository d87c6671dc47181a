import Diagnosis
import Foundation
import MSAL

/// What a server demands of the next token: by a challenge, or because it has rejected the one that was sent.
struct Rejection: Sendable {
    enum Means: Sendable {
        /// One that meets the challenge.
        case suitable
        /// Another one in place of a rejected one.
        case refreshed
        /// One of a new sign-in, because the refreshed one was rejected too.
        case signedIn
    }

    var means: Means
    var challenge: MSALChallenge?
    /// The `Authorization` field of the request.
    var sent: String?
    /// Whether the user may be asked, if the command allows it.
    var maySignIn = true

    /// Equal for rejections that one token answers.
    var key: String { "\(means) \(challenge?.demand ?? "")" }
}

/// The one rule for responses that demand a token, of everything that sends tokens: what the challenge asks for, once more if it
/// asks for more, and for a token that was sent and answered 401 one refresh, one sign-in, and then the truth
/// (docs/resources.md).
struct Rejections: Sendable {
    private var demands: Set<String> = []
    private var hasWantedMore = false
    private var hasRefreshed = false
    private var hasSignedIn = false

    /// What a response demands; `nil` if no other token would help.
    /// - Parameter fields: the challenges of the response; `nil` if it has none that a token answers.
    mutating func next(after status: Int = 401, _ fields: [String]? = ["Bearer"], sent: String?) throws -> Rejection? {
        guard var fields else { return nil }
        if sent != nil, !fields.contains(where: { $0.lowercased().contains(#/bearer|dpop/#) }) {
            // A 401 with another scheme, or none, rejects the token all the same. Otherwise, no token would help.
            guard status == 401 else { return nil }
            fields = ["Bearer"]
        }
        let challenge = try Failure.challenge(nextStep: "Ask the API's operator.") { try .init(headers: fields) }
        let isNew = demands.insert(challenge.demand).inserted
        guard sent != nil else {
            return demands.count == 1 && isNew ? Rejection(means: .suitable, challenge: challenge) : nil
        }
        if isNew, challenge.wantsMore {
            guard !hasWantedMore else { return nil }
            hasWantedMore = true
            return Rejection(means: .suitable, challenge: challenge, sent: sent)
        }
        guard status == 401, !challenge.requiresSignIn else { return nil }
        if !hasRefreshed {
            hasRefreshed = true
            return Rejection(means: .refreshed, challenge: challenge, sent: sent, maySignIn: !hasSignedIn)
        }
        guard !hasSignedIn else { return nil }
        hasSignedIn = true
        return Rejection(means: .signedIn, challenge: challenge, sent: sent)
    }

    mutating func note(_ token: TokenDesk.Token) { hasSignedIn = hasSignedIn || token.isOfSignIn }
}

extension MSALChallenge {
    /// Whether the challenge names what the token lacks, rather than only rejecting it.
    fileprivate var wantsMore: Bool { !scopes.isEmpty || claims != nil || acrValues != nil || maxAge != nil }
}

/// How often the rejections of one server may cost a refresh or a window, whatever came of the earlier ones. A value type;
/// callers pass the time.
struct RejectionLimits: Sendable {
    /// The pause between two refreshes: a server may reject every token.
    private static let pause: TimeInterval = 30
    /// The windows in an hour.
    static let mostSignIns = 3
    private static let hour: TimeInterval = 3600

    private var lastRefresh: Date?
    private var signIns: [Date] = []

    /// - Parameter expiry: of the rejected token. That an expired one is rejected is no reason to wait.
    mutating func allowsRefresh(of expiry: Date?, at now: Date) -> Bool {
        let isExpired = expiry.map { $0 <= now } ?? false
        let isEarly = lastRefresh.map { now.timeIntervalSince($0) <= Self.pause } ?? false
        guard isExpired || !isEarly else { return false }
        lastRefresh = now
        return true
    }

    /// Counts a window that is about to open. Throws if that is one too many.
    mutating func openWindow(for server: String, at now: Date) throws(Failure) {
        signIns.removeAll { now.timeIntervalSince($0) >= Self.hour }
        guard signIns.count < Self.mostSignIns else {
            throw Failure(
                .interactionRequired, name: "tooManySignIns",
                "\(server) has required \(Self.mostSignIns) sign-ins within an hour. Keyturn opens no other browser for it now.",
                nextStep: "Ask the server's operator why it accepts no token, or run 'keyturn sign-in'.")
        }
        signIns.append(now)
    }
}
