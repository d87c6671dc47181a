import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Which silent requests get an earlier failure, and for how long (docs/upstream-behaviour.md §9.4).
@Suite("Throttling") struct ThrottlingTests {
    static let basic: Parameters = [
        "client_id": "c", "grant_type": "refresh_token", "refresh_token": "r", "scope": "a b", "claims": "{}",
    ]

    static func thumbprints(
        _ change: (inout Parameters) -> Void = { _ in }, at endpoint: String = "https://id.example/token"
    ) throws -> RequestThumbprints {
        var parameters = basic
        change(&parameters)
        return RequestThumbprints(.form(parameters, to: try #require(URL(string: endpoint))))
    }

    static func status(_ status: Int, retryAfter: Double? = nil) -> AuthenticationFailure {
        failure(status, .unexplained, retryAfter)
    }

    static func rejected(_ error: String, retryAfter: Double? = nil) -> AuthenticationFailure {
        failure(400, .rejected(OAuthErrorResponse(error)), retryAfter)
    }

    private static func failure(
        _ status: Int, _ body: TokenResponseFailure, _ retryAfter: Double?
    ) -> AuthenticationFailure {
        var failure = ResponseFailure(
            .refresh, HTTPResponse(status: status), to: HTTPRequest(.post, URL(filePath: "/token")), body,
            at: ManualTime.start)
        failure.retryAfter = retryAfter
        return .authority(.response(failure))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var failure: AuthenticationFailure
        /// For how many seconds the same request gets the failure.
        var lifetime: Double
        /// Whether a request that differs only in its claims gets it too.
        var isStrict = true
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "429", failure: status(429), lifetime: 60),
        Row(name: "429 with a time", failure: status(429, retryAfter: 7), lifetime: 7),
        Row(name: "500", failure: status(500), lifetime: 60),
        Row(name: "503 with a time", failure: status(503, retryAfter: 1800), lifetime: 1800),
        Row(name: "503 with an endless time", failure: status(503, retryAfter: 1e9), lifetime: 3600),
        Row(name: "404", failure: status(404), lifetime: 60),
        Row(name: "404 with a time", failure: status(404, retryAfter: 30), lifetime: 30),
        Row(name: "no network", failure: .network(TransportFailure(.timedOut, reason: ""), host: "h"), lifetime: 0),
        Row(name: "cancelled", failure: .user(.canceled), lifetime: 0),
        Row(name: "not JSON", failure: failure(200, .malformed(.notJSONObject), nil), lifetime: 0),
        Row(
            name: "an OAuth error", failure: rejected("invalid_grant"), lifetime: 120, isStrict: false),
        Row(
            name: "an unknown OAuth error", failure: rejected("new_error"), lifetime: 120,
            isStrict: false),
        Row(
            name: "an OAuth error with a time", failure: rejected("temporarily_unavailable", retryAfter: 15),
            lifetime: 15),
    ]

    @Test("Lasts as long as the failure says", arguments: rows)
    func lifetime(row: Row) throws {
        var throttling = Throttling()
        let now = ManualTime.start
        let request = try Self.thumbprints()
        throttling.note(row.failure, of: request, at: now)
        for (seconds, isHeld) in [(0, row.lifetime > 0), (row.lifetime - 0.5, row.lifetime > 0), (row.lifetime, false)]
        where seconds >= 0 {
            let found = throttling.failure(for: request, at: now.addingTimeInterval(seconds))
            #expect(found?.kind == (isHeld ? row.failure.kind : nil))
            guard isHeld, row.isStrict else { continue }
            #expect(found?.response?.retryAfter == row.lifetime - seconds, "what is left of the pause")
        }
        let other = try Self.thumbprints { $0["claims"] = #"{"access_token":{}}"# }
        #expect((throttling.failure(for: other, at: now) != nil) == (row.lifetime > 0 && row.isStrict))
        #expect(throttling.failure(for: request, at: now.addingTimeInterval(-1)) == nil)
    }

    @Test(
        "Compares requests by the members that matter",
        arguments: [
            ("nothing", "", true, true), ("the scopes", "scope", false, false),
            ("the client", "client_id", false, false),
            ("the refresh token", "refresh_token", false, false), ("the claims", "claims", true, false),
            ("the grant type", "grant_type", true, true), ("another parameter", "x", true, false),
        ])
    func sameness(name: String, parameter: String, isSameStrictly: Bool, isSameFully: Bool) throws {
        let request = try Self.thumbprints()
        let other = try Self.thumbprints { if !parameter.isEmpty { $0[parameter] = "different" } }
        #expect((request.strict == other.strict) == isSameStrictly)
        #expect((request.full == other.full) == isSameFully)
    }

    @Test func anotherEndpointIsAnotherRequest() throws {
        let other = try Self.thumbprints(at: "https://id.example/other")
        #expect(try Self.thumbprints().strict != other.strict)
        #expect(try Self.thumbprints().full != other.full)
    }

    @Test func aSignInClearsServerErrorsButNotOutages() throws {
        var throttling = Throttling()
        let rejected = try Self.thumbprints()
        let down = try Self.thumbprints { $0["scope"] = "c" }
        throttling.note(
            Self.rejected("invalid_grant"), of: rejected, at: ManualTime.start)
        throttling.note(Self.status(503), of: down, at: ManualTime.start)
        throttling.userSignedIn()
        #expect(throttling.failure(for: rejected, at: ManualTime.start) == nil)
        #expect(throttling.failure(for: down, at: ManualTime.start) != nil)
    }

    @Test func itsMemoryIsLimited() throws {
        var throttling = Throttling()
        let requests = try (0...Throttling.capacity).map { number in try Self.thumbprints { $0["scope"] = "\(number)" }
        }
        for (number, request) in requests.enumerated() {
            throttling.note(
                Self.status(503, retryAfter: Double(number + 1)), of: request, at: ManualTime.start)
        }
        let remembered = requests.count { throttling.failure(for: $0, at: ManualTime.start) != nil }
        #expect(remembered == Throttling.capacity)
        #expect(throttling.failure(for: requests[0], at: ManualTime.start) == nil)
    }

    @Test("A failure doesn't count when the clock is set back") func clockSetBack() throws {
        var throttling = Throttling()
        let request = try Self.thumbprints()
        throttling.note(Self.status(503), of: request, at: ManualTime.start)
        #expect(throttling.failure(for: request, at: ManualTime.start + 1) != nil)
        #expect(throttling.failure(for: request, at: ManualTime.start - 1) == nil)
    }
}

/// Throttling as a caller sees it.
@Suite("Throttled silent calls", .oneSessionAtATime) struct ThrottledCallsTests {
    @Test(
        "The earlier error is returned with a mark and without a request",
        arguments: [
            ("refusal", 120.0, 400, nil), ("outage", 60, 503, nil), ("asked to wait", 7, 429, "7"),
            ("asked to wait for a date", 20, 503, "Thu, 01 Jan 2026 00:00:20 GMT"),
        ] as [(String, Double, Int, String?)])
    func replay(name: String, lifetime: Double, status: Int, retryAfter: String?) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in
            var response = HTTPResponse.rejection("invalid_grant")
            response.status = status
            response.headers["Retry-After"] = retryAfter
            return response
        }
        let first = try await signedIn.failure(force: true)
        let asked = signedIn.tokenRequests.count
        let second = try await signedIn.failure(force: true)
        #expect(signedIn.tokenRequests.count == asked)
        #expect(second.code == first.code)
        #expect(second.userInfo[MSALThrottlingCacheHitKey] as? Int == 1)
        #expect(
            second.userInfo[MSALHTTPResponseCodeKey] as? String == first.userInfo[MSALHTTPResponseCodeKey] as? String)
        signedIn.world.time.advance(by: lifetime + 1)
        let third = try await signedIn.failure(force: true)
        #expect(third.userInfo[MSALThrottlingCacheHitKey] == nil)
        #expect(signedIn.tokenRequests.count > asked)
    }

    @Test func aSignInClearsIt() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection("invalid_grant") }
        _ = try await signedIn.failure(force: true)
        signedIn.application.silentRequests.throttling { $0.userSignedIn() }
        #expect(try await signedIn.failure(force: true).userInfo[MSALThrottlingCacheHitKey] == nil)
        #expect(signedIn.tokenRequests.count == 2)
    }

    @Test func aTokenThatIsOnlyDueForRefreshServesMeanwhile() async throws {
        let signedIn = try await SignedInWorld()
        try signedIn.change(.accessToken) { $0.members["refresh_on"] = "1767225601" }
        signedIn.world.time.advance(by: 60)
        signedIn.answer { _ in HTTPResponse(status: 503) }
        #expect(try await signedIn.token().isFromCache)
        let asked = signedIn.tokenRequests.count
        #expect(try await signedIn.token().isFromCache)
        #expect(signedIn.tokenRequests.count == asked)
    }
}
