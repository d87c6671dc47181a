import Foundation
import OAuthCore

/// A user's consent to a client, and how the user signed in. Codes and refresh tokens refer to a grant.
struct Grant: Sendable, Equatable {
    var userID: String
    var tenantID: String
    var clientID: String
    /// The scopes with consent.
    var scopes: [RequestedScope]
    var authenticatedAt: Date
    /// The `sid` claim, which identifies the browser session.
    var sessionID: String
    /// The authentication methods (RFC 8176).
    var methods = ["pwd"]
    /// The user flow of the sign-in.
    var policy: String?
    var claims = RequestedClaims()
}

/// An issued authorization code. The table's key is the digest of the code, so the code itself isn't stored.
struct CodeGrant: Sendable, Equatable {
    var grant: Grant
    var redirectURI: String
    var codeChallenge: String
    var nonce: String?
    var expiry: Date
    /// The token family of a redeemed code, which is revoked if the code is reused (RFC 6749 §4.1.2).
    var redeemedFamilyID: String?
}

/// An authorization request that the browser's request refers to (RFC 9126 §2). The table's key is the digest of the
/// reference.
struct PushedRequest: Sendable, Equatable {
    let parameters: Parameters
    let expiry: Date
    /// Whether a browser brought the reference.
    var isUsed: Bool
}

/// The refresh tokens of one sign-in (RFC 9700 §4.14.2).
///
/// A token is `<family identifier>.<random>`. A known family with another random part identifies a used token, so that
/// used tokens needn't be stored.
struct RefreshTokenFamily: Sendable, Equatable {
    var grant: Grant
    var currentDigest: String
    var expiry: Date
}

/// The session of a browser's cookie.
struct BrowserSession: Sendable, Equatable {
    struct SignedInUser: Sendable, Equatable {
        var userID: String
        var authenticatedAt: Date
        var sessionID: String
        /// The authentication methods used (RFC 8176).
        var methods = ["pwd"]
    }

    /// The signed-in users, latest sign-in first.
    var users: [SignedInUser] = []

    mutating func signIn(_ user: SignedInUser) {
        users.removeAll { $0.userID == user.userID }
        users.insert(user, at: 0)
    }
}

/// A sign-in in progress in a browser.
struct PendingSignIn: Sendable, Equatable {
    let request: AuthorizeRequest
    /// The sign-in's browser, as the digest of its cookie. Forms from other browsers are rejected.
    var browserKey: String
    /// The anti-forgery token in each form (RFC 9700 §4.7).
    let antiForgeryToken: String
    /// The user of the pages after the sign-in page.
    var user: BrowserSession.SignedInUser?
    /// The scopes listed on the consent page.
    var requestedConsents: [RequestedScope] = []
}

/// A device whose code the user hasn't entered yet (RFC 8628). The table's key is the digest of the device code.
struct DeviceSignIn: Sendable, Equatable {
    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    enum Decision: Sendable, Equatable {
        case open
        case granted(Grant)
        case denied
    }

    let client: RegisteredClient
    let selector: TenantSelector
    let scopes: [RequestedScope]
    let expiry: Date
    /// The least seconds between polls; increases by five with each `slow_down`.
    var interval: TimeInterval
    var lastPolled: Date?
    var polls = 0
    var decision = Decision.open
}

/// User codes: eight consonants in two groups, which form no words (RFC 8628 §6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let length = 8

    /// - Parameter randomBytes: returns the given number of unpredictable bytes.
    static func make(_ randomBytes: (Int) -> [UInt8]) -> String {
        // 240 is the largest multiple of 20 in a byte. Larger values would make some letters more frequent.
        var letters: [Character] = []
        while letters.count < length {
            letters += randomBytes(length * 2).filter { $0 < 240 }.map { Self.letters[Int($0) % Self.letters.count] }
        }
        return "\(String(letters[0..<4]))-\(String(letters[4..<length]))"
    }

    /// Normalises a typed code: ignores letter case, dashes and spaces.
    static func normalized(_ typed: String) -> String {
        let letters = typed.uppercased().filter(letters.contains)
        return "\(letters.prefix(4))-\(letters.dropFirst(4))"
    }
}

/// Lifetimes in seconds.
package struct Lifetimes: Sendable, Equatable {
    /// The code's lifetime, at most ten minutes (RFC 6749 §4.1.2).
    package var code: TimeInterval = 300
    /// The time from the first page to the last.
    package var pages: TimeInterval = 600
    /// The time from pushing a request to opening it in the browser.
    package var pushedRequest: TimeInterval = 60
    package var deviceCode: TimeInterval = 900
    package var devicePollInterval: TimeInterval = 5
    package var accessToken: TimeInterval = 3600
    package var idToken: TimeInterval = 3600
    /// The time from one use to the next.
    package var refreshToken: TimeInterval = 90 * 86400
    package var browserSession: TimeInterval = 43200

    package init() {}
}

/// A limit of attempts per period, for guesses of user codes (RFC 8628 §5.1).
struct RateLimit: Sendable {
    private let most: Int
    private let window: TimeInterval
    private var times: [Date] = []

    init(events: Int, seconds: TimeInterval) {
        most = events
        window = seconds
    }

    func isOpen(at now: Date) -> Bool { times.count { now.timeIntervalSince($0) < window } < most }

    mutating func note(at now: Date) {
        times.removeAll { now.timeIntervalSince($0) >= window }
        times.append(now)
    }
}
