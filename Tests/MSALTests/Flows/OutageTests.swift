import DemoAuthority
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
        Row(name: "due and about to expire", age: 3400, refreshIn: 30, serves: .cached),
        Row(name: "about to expire", age: 3599, serves: .cached),
        Row(name: "about to expire", age: 3599, trouble: .offline, serves: .cached),
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

    @Test(
        "A valid token is returned whatever the failure was, and stays cached",
        arguments: [
            HTTPResponse.rejection("invalid_grant", suberror: "bad_token"), .rejection("invalid_client"),
            .rejection("unauthorized_client", suberror: "protection_policy_required"), .rejection("invalid_scope"),
            HTTPResponse(status: 200, body: Array("{}".utf8)), HTTPResponse(status: 404), HTTPResponse(status: 302),
        ], [(60.0, 30), (3599, nil)] as [(Double, Int?)])
    func failedRefresh(response: HTTPResponse, age: (Double, Int?)) async throws {
        let signedIn = try await world(Row(name: "", age: age.0, refreshIn: age.1, serves: .cached))
        signedIn.answer { _ in response }
        for _ in 1...2 { #expect(try await signedIn.token().isFromCache) }
        #expect(signedIn.secrets(.accessToken).count == 1)
        _ = try await signedIn.failure(force: true)
        signedIn.world.time.advance(by: 3600)
        _ = try await signedIn.failure()
        #expect(signedIn.secrets(.accessToken).isEmpty)
    }

    @Test("A refresh whose ID token can't be verified for want of the keys keeps the refresh token for the next one")
    func noKeys() async throws {
        let signedIn = try await SignedInWorld()
        let (before, names) = (signedIn.secrets(.refreshToken), try signedIn.application.allAccounts().map(\.username))
        signedIn.world.time.advance(by: 2 * 86_400)
        signedIn.world.transport.tamper { $0.url.path().hasSuffix("/keys") ? HTTPResponse(status: 503) : $1 }
        _ = try await signedIn.failure()
        #expect(signedIn.secrets(.refreshToken) != before && signedIn.secrets(.refreshToken).count == before.count)
        signedIn.world.transport.tamper { $1 }
        #expect(try await signedIn.token().isFromCache == false)
        #expect(try signedIn.application.allAccounts().map(\.username) == names)
    }

    @Test("A full disk doesn't end a valid token")
    func fullDisk() async throws {
        let signedIn = try await world(Row(name: "", age: 3599, serves: .cached))
        signedIn.world.store.denyRoom(with: CredentialStoreFailure(.io, reason: "No room."))
        #expect(try await signedIn.token().isFromCache)
    }

    @Test("A token that expires during the refresh isn't returned")
    func slowFailure() async throws {
        let signedIn = try await world(Row(name: "", age: 3599, serves: .error))
        let time = signedIn.world.time
        signedIn.answer { _ in
            time.advance(by: 2)
            return .rejection("invalid_grant")
        }
        #expect(try await signedIn.failure().code == MSALError.interactionRequired.rawValue)
    }

    @Test("An account that signs out during the refresh gets no token")
    func signOutMeanwhile() async throws {
        let signedIn = try await world(Row(name: "", age: 3599, serves: .error))
        let (store, identifier) = (signedIn.world.store, signedIn.account.identifier ?? "")
        signedIn.answer { _ in
            try? TokenCache(store: store, clientID: DemoAuthorityServer.clientID).remove(homeAccountID: identifier)
            return nil
        }
        #expect(try await signedIn.failure().code == MSALError.interactionRequired.rawValue)
        #expect(signedIn.secrets(.accessToken).isEmpty)
    }

    @Test("A cancelled request gets no token")
    func cancelled() async throws {
        let cancelled: ScriptedTransport.Answer = { _ throws(TransportFailure) in
            throw TransportFailure(.cancelled, reason: "cancelled")
        }
        let signedIn = try await SignedInWorld(transport: { _ in ScriptedTransport([cancelled]) })
        signedIn.world.time.advance(by: 3599)
        #expect(try await signedIn.failure().failureKind == .canceled)
    }

    @Test(
        "The cache alone gives what it has, even if it has expired, and changes nothing", arguments: [60.0, 3599, 7200])
    func cacheAlone(age: Double) async throws {
        let signedIn = try await world(Row(name: "", age: age, serves: .cached))
        let (parameters, before) = (signedIn.parameters(force: true), signedIn.world.store.all)
        parameters.usesOnlyCache = true
        let result = try await signedIn.application.acquireTokenSilent(with: parameters)
        #expect(result.expiresOn == ManualTime.start.addingTimeInterval(3600))
        #expect(result.isFromCache && result.idToken != nil)
        parameters.scopes = ["Mail.Read"]
        let error = try await SignedInWorld.failure {
            try await signedIn.application.acquireTokenSilent(with: parameters)
        }
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(signedIn.world.transport.requests.isEmpty)
        #expect(signedIn.world.store.all == before)
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
