import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// What the cache returns while the authority or the network is down (docs/upstream-behaviour.md §5, steps 9, 10 and
/// 16).
@Suite("Outages", .oneSessionAtATime) struct OutageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// Seconds after the sign-in; the token expires after 3600.
        var age: Double
        var refreshIn: Int?
        var extendedLifetime: Int?
        var isEnabled = true
        var trouble: AuthorityTransport.Trouble = .status(503)
        var serves: Served
        var testDescription: String { "\(name) (\(trouble))" }
    }

    enum Served: Sendable {
        case cached
        case extended
        case error
    }

    static let rows: [Row] = [
        Row(name: "due for refresh", age: 60, refreshIn: 30, serves: .cached),
        Row(name: "due for refresh", age: 60, refreshIn: 30, trouble: .offline, serves: .cached),
        Row(name: "due for refresh", age: 60, refreshIn: 30, trouble: .status(429), serves: .cached),
        Row(name: "due for refresh, a page in between", age: 60, refreshIn: 30, trouble: .status(404), serves: .cached),
        Row(name: "due and past the buffer", age: 3400, refreshIn: 30, serves: .error),
        Row(name: "expired", age: 3700, serves: .error),
        Row(name: "expired", age: 3700, trouble: .offline, serves: .error),
        Row(name: "extended", age: 3700, extendedLifetime: 7200, serves: .extended),
        Row(name: "extended", age: 3700, extendedLifetime: 7200, trouble: .offline, serves: .extended),
        Row(name: "extended", age: 3700, extendedLifetime: 7200, trouble: .status(429), serves: .extended),
        Row(name: "extended, but not enabled", age: 3700, extendedLifetime: 7200, isEnabled: false, serves: .error),
        Row(name: "extended lifetime over", age: 7300, extendedLifetime: 7200, serves: .error),
    ]

    private func world(_ row: Row) async throws -> SignedInWorld {
        let signedIn = try await SignedInWorld(configure: { $0.extendedLifetimeEnabled = row.isEnabled })
        let start = ManualTime.start.timeIntervalSince1970
        try signedIn.change(.accessToken) { token in
            token.members["refresh_on"] = row.refreshIn.map { .string(String(Int(start) + $0)) }
            token.members["extended_expires_on"] = row.extendedLifetime.map { .string(String(Int(start) + $0)) }
        }
        signedIn.world.time.advance(by: row.age)
        return signedIn
    }

    @Test("Return what is still valid", arguments: rows)
    func fallback(row: Row) async throws {
        let signedIn = try await world(row)
        signedIn.world.transport.trouble(row.trouble)
        guard row.serves != .error else {
            _ = try await signedIn.failure()
            return
        }
        let result = try await signedIn.token()
        #expect(result.isFromCache)
        #expect(result.extendedLifeTimeToken == (row.serves == .extended))
        #expect(signedIn.secrets(.accessToken) == [result.accessToken])
    }

    @Test("A token that is due for refresh is returned whatever happened to the refresh token")
    func rejectedRefresh() async throws {
        let signedIn = try await world(Row(name: "", age: 60, refreshIn: 30, serves: .cached))
        signedIn.answer { _ in .rejection("invalid_grant", suberror: "bad_token") }
        for _ in 1...2 { #expect(try await signedIn.token().isFromCache) }
        #expect(signedIn.secrets(.refreshToken).isEmpty)
        #expect(try await signedIn.failure(force: true).code == MSALError.interactionRequired.rawValue)
    }

    @Test func anExtendedTokenHasItsExtendedExpiry() async throws {
        let signedIn = try await world(Row(name: "", age: 3700, extendedLifetime: 7200, serves: .extended))
        signedIn.world.transport.trouble(.status(503))
        #expect(try await signedIn.token().expiresOn == ManualTime.start.addingTimeInterval(7200))
        signedIn.world.transport.trouble(nil)
        signedIn.world.time.advance(by: 61)
        let refreshed = try await signedIn.token()
        #expect(!refreshed.isFromCache && !refreshed.extendedLifeTimeToken)
    }

    @Test func forceRefreshHasNoFallback() async throws {
        let signedIn = try await world(Row(name: "", age: 60, refreshIn: 30, serves: .error))
        signedIn.world.transport.trouble(.status(503))
        let error = try await signedIn.failure(force: true)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "503")
    }
}
