import Foundation
import OAuthCore

/// A user's consent to a client, and how the user signed in. Codes and refresh tokens refer to a grant.
struct Grant: Sendable, Equatable {
    var userID: String
    var tenantID: String
    var clientID: String
    var scopes: [RequestedScope]
    var authenticatedAt: Date
    /// The `sid` claim, which identifies the browser session.
    var sessionID: String
    /// RFC 8176
    var methods = ["pwd"]
    var policy: String?
    var claims = RequestedClaims()

    var holdsOffline: Bool { scopes.contains { $0.text == "offline_access" } }
}

/// The table's key is the digest of the code, so the code itself isn't stored.
struct CodeGrant: Sendable, Equatable {
    var grant: Grant
    var redirectURI: String
    var codeChallenge: String
    var nonce: String?
    var expiry: Date
    /// The token family of a redeemed code, which is revoked if the code is reused (RFC 6749 §4.1.2).
    var redeemedFamilyID: String?
}

/// An authorization request that the browser's request refers to (RFC 9126 §2), by the digest of the reference.
struct PushedRequest: Sendable, Equatable {
    let parameters: Parameters
    let expiry: Date
    /// Whether a browser brought the reference.
    var isUsed: Bool
}

/// The refresh tokens of one sign-in (RFC 9700 §4.14.2). A token is `<family identifier>.<random>`. A known family with another
/// random part identifies a used token, so that used tokens needn't be stored.
struct RefreshTokenFamily: Sendable, Equatable {
    var grant: Grant
    var currentDigest: String
    var expiry: Date
}

struct BrowserSession: Sendable, Equatable {
    struct SignedInUser: Sendable, Equatable {
        var userID: String
        var authenticatedAt: Date
        var sessionID: String
        /// RFC 8176
        var methods = ["pwd"]
    }

    /// Latest sign-in first.
    var users: [SignedInUser] = []

    mutating func signIn(_ user: SignedInUser) {
        users.removeAll { $0.userID == user.userID }
        users.insert(user, at: 0)
    }
}

struct PendingSignIn: Sendable, Equatable {
    let request: AuthorizeRequest
    /// The sign-in's browser, as the digest of its cookie. Forms from other browsers are rejected.
    var browserKey: String
    /// The anti-forgery token in each form (RFC 9700 §4.7).
    let antiForgeryToken: String
    var user: BrowserSession.SignedInUser?
    var requestedConsents: [RequestedScope] = []
}

/// A device whose code the user hasn't entered yet (RFC 8628), by the digest of the device code.
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

    static func make(_ randomBytes: (Int) -> [UInt8]) -> String {
        // 240 is the largest multiple of 20 in a byte. Larger values would make some letters more frequent.
        var letters: [Character] = []
        while letters.count < length {
            letters += randomBytes(length * 2).filter { $0 < 240 }.map { Self.letters[Int($0) % Self.letters.count] }
        }
        return "\(String(letters[0..<4]))-\(String(letters[4..<length]))"
    }

    /// Ignores letter case, dashes and spaces.
    static func normalized(_ typed: String) -> String {
        let letters = typed.uppercased().filter(letters.contains)
        return "\(letters.prefix(4))-\(letters.dropFirst(4))"
    }
}

/// Lifetimes in seconds.
package struct Lifetimes: Sendable, Equatable {
    /// At most ten minutes (RFC 6749 §4.1.2).
    package var code: TimeInterval = 300
    /// From the first page to the last.
    package var pages: TimeInterval = 600
    /// From pushing a request to opening it in the browser.
    package var pushedRequest: TimeInterval = 60
    package var deviceCode: TimeInterval = 900
    package var devicePollInterval: TimeInterval = 5
    package var accessToken: TimeInterval = 3600
    package var idToken: TimeInterval = 3600
    /// From one use to the next.
    package var refreshToken: TimeInterval = 90 * 86400
    package var browserSession: TimeInterval = 43200

    package init() {}
}

/// Against guesses of user codes (RFC 8628 §5.1).
struct RateLimit: Sendable {
    let events: Int
    let seconds: TimeInterval
    private(set) var times: [Date] = []

    func isOpen(at now: Date) -> Bool { times.count { now.timeIntervalSince($0) < seconds } < events }

    mutating func note(at now: Date) {
        times.removeAll { now.timeIntervalSince($0) >= seconds }
        times.append(now)
    }
}

/// A table whose entries expire. Beyond its capacity, it removes the oldest, so that requests can't fill the memory.
struct ExpiringTable<Value: Sendable>: Sendable {
    private var entries: [String: (value: Value, expiry: Date)] = [:]
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func insert(_ value: Value, for key: String, until expiry: Date, at now: Date) {
        if entries.count >= capacity { makeRoom(at: now) }
        entries[key] = (value, expiry)
    }

    func value(for key: String, at now: Date) -> Value? {
        entries[key].flatMap { $0.expiry > now ? $0.value : nil }
    }

    /// Changes an entry without extending its expiry.
    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.value)
        entries[key] = entry
    }

    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in entries.keys { update(key, change) }
    }

    mutating func removeAll() { entries = [:] }

    mutating func remove(_ key: String) { entries[key] = nil }

    private mutating func makeRoom(at now: Date) {
        entries = entries.filter { $0.value.expiry > now }
        guard entries.count >= capacity else { return }
        // Removes a quarter at once, so that a flood of requests doesn't sort the table each time.
        let oldest = entries.sorted { $0.value.expiry < $1.value.expiry }.prefix(max(1, capacity / 4))
        for (key, _) in oldest { entries[key] = nil }
    }
}
