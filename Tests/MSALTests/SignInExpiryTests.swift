import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// When a sign-in ends at the latest: by the authority's statements, and by its rejections of earlier refresh tokens.
@Suite("The end of a sign-in", .oneSessionAtATime) struct SignInExpiryTests {
    private static let hour = 3600.0
    private static let day = 86_400.0

    private static let december = "2025-12-01T07:05:58.0377614Z"

    private static func rejection(_ code: Int, _ words: String, issued: String = december) -> OAuthErrorResponse {
        let text = "It has expired.\u{A0}The token was issued on \(issued) and \(words).\r\nTrace ID: x"
        return OAuthErrorResponse("invalid_grant", description: "AADSTS\(code): \(text)", codes: [code])
    }

    private static func age(_ text: String, issued: String = december) -> OAuthErrorResponse {
        rejection(70043, "the maximum allowed lifetime for this request is \(text)", issued: issued)
    }

    private static func inactivity(_ text: String) -> OAuthErrorResponse {
        rejection(700_082, "was inactive for \(text)", issued: "2025-09-01T02:58:17.0350262Z")
    }

    /// A rejection, and the lifetime in seconds that it states.
    private static let rows: [(OAuthErrorResponse, Int?)] = [
        (age("82800"), 82_800), (age("2592000"), 2_592_000), (age("1.00:00:00"), 86_400),
        (inactivity("90.00:00:00"), 7_776_000), (inactivity("12:30:10"), 45_010),
        // Not a lifetime, or not one that has passed.
        (age("-1"), nil), (age("0"), nil), (age("1e3"), nil), (age("soon"), nil), (age("99999999999999999999"), nil),
        (age("3600.5"), nil), (age("3155760000"), nil), (age("2764800"), nil), (age(""), nil),
        (inactivity("-90.00:00:00"), nil), (inactivity("90.00:00"), nil), (inactivity("90.00:00:00.1"), nil),
        (inactivity("99999.00:00:00"), nil), (inactivity("1.2.00:00:00"), nil), (inactivity(":::"), nil),
        // Issued in the future, at no time, and before there was a Web.
        (age("3600", issued: "2026-01-02T00:00:00.0000000Z"), nil), (age("3600", issued: "{issueDate}"), nil),
        (age("3600", issued: "0001-01-01T00:00:00.0000000Z"), nil), (age("3600", issued: "日"), nil),
        (rejection(50173, "the maximum allowed lifetime for this request is 3600"), nil),
        (OAuthErrorResponse("invalid_grant", codes: [70043]), nil),
    ]

    @Test("Rejections state lifetimes", arguments: rows.indices)
    func statements(row: Int) {
        let (rejection, seconds) = Self.rows[row]
        let lifetime = StatedLifetime(in: rejection, at: ManualTime.start)
        #expect(lifetime?.seconds == seconds)
        #expect(lifetime == nil || lifetime?.basis == (rejection.codes == [70043] ? .maximumAge : .inactivity))
    }

    private static func response(_ rejection: OAuthErrorResponse, _ suberror: String) throws -> HTTPResponse {
        let value: JSONValue = [
            "error": .string(rejection.error), "error_description": .string(rejection.description ?? ""),
            "error_codes": .array(rejection.codes.map { .integer(Int64($0)) }), "suberror": .string(suberror),
        ]
        return HTTPResponse(status: 400, body: Array(value.serialized.utf8))
    }

    /// Signs Ann in again, in the same world.
    private func signIn(_ signedIn: SignedInWorld) async throws -> MSALResult {
        var world = signedIn.world
        world.seat(.ann)
        return try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
    }

    private func tokens(_ signedIn: SignedInWorld) throws -> MSALCachedTokens? {
        try signedIn.application.cachedTokens()[signedIn.account.identifier ?? ""]
    }

    private static func issued(_ date: Date) -> String { date.ISO8601Format().replacing("Z", with: ".1234567Z") }

    @Test("A rejection for its age dates the rejected sign-in and limits the next one")
    func maximumAge() async throws {
        let signedIn = try await SignedInWorld()
        let start = signedIn.world.time.now()
        #expect(try tokens(signedIn)?.signedInOn == start)
        #expect(try tokens(signedIn)?.signInExpiry == nil)

        // The browser's session was an hour old at the sign-in.
        signedIn.world.time.advance(by: 12 * Self.hour)
        let rejection = Self.age("43200", issued: Self.issued(start - Self.hour))
        let response = try Self.response(rejection, "token_expired")
        signedIn.answer { _ in response }
        #expect(try await signedIn.failure(force: true).code == MSALError.interactionRequired.rawValue)
        let past = MSALSignInExpiry(
            date: start + 11 * Self.hour, countedFrom: start - Self.hour, basis: .maximumAge)
        #expect(try tokens(signedIn)?.signInExpiry == past)

        signedIn.answer { _ in nil }
        let now = signedIn.world.time.now()
        let result = try await signIn(signedIn)
        let next = MSALSignInExpiry(date: now + 12 * Self.hour, countedFrom: now, basis: .maximumAge)
        #expect(result.signInExpiry == next)
        #expect(try tokens(signedIn)?.signInExpiry == next)
        #expect(try await signedIn.token().signInExpiry == next)

        // Refreshes don't move it, unless the authority has changed its mind.
        signedIn.world.time.advance(by: 11 * Self.hour)
        #expect(try await signedIn.token(force: true).signInExpiry == next)
        signedIn.world.time.advance(by: 2 * Self.hour)
        #expect(try await signedIn.token(force: true).signInExpiry == nil)
        #expect(try tokens(signedIn)?.signedInOn == now)
    }

    @Test("A rejection for inactivity limits the next sign-in, and each refresh moves it")
    func inactivity() async throws {
        let signedIn = try await SignedInWorld()
        let start = signedIn.world.time.now()
        signedIn.world.time.advance(by: 91 * Self.day)
        let rejection = Self.rejection(700_082, "was inactive for 90.00:00:00", issued: Self.issued(start))
        let response = try Self.response(rejection, "bad_token")
        signedIn.answer { _ in response }
        _ = try await signedIn.failure(force: true)
        #expect(try tokens(signedIn)?.signInExpiry == nil)

        signedIn.answer { _ in nil }
        _ = try await signIn(signedIn)
        signedIn.world.time.advance(by: 10 * Self.day)
        let result = try await signedIn.token(force: true)
        let now = signedIn.world.time.now()
        #expect(
            result.signInExpiry
                == MSALSignInExpiry(date: now + 90 * Self.day, countedFrom: now, basis: .inactivity))
    }

    @Test("The earliest time counts", arguments: [(11.0, MSALSignInExpiry.Basis.stated), (13.0, .maximumAge)])
    func earliest(hours: Double, basis: MSALSignInExpiry.Basis) throws {
        let store = MemoryCredentialStore()
        let cache = TokenCache(store: store, clientID: "Client-1")
        var grant = TokenGrantTests.grant()
        grant.refreshTokenExpiresOn = ManualTime.start + hours * Self.hour
        try cache.save(grant)
        let rejection = Self.age("43200", issued: Self.issued(ManualTime.start))
        let now = ManualTime.start + 12 * Self.hour
        try cache.note(try #require(StatedLifetime(in: rejection, at: now)), of: grant.homeAccountID)
        let expiry = try cache.credentials(of: grant.homeAccountID).signInExpiry
        #expect(expiry?.basis == basis)
        #expect(expiry?.date == ManualTime.start + min(hours, 12) * Self.hour)
        // Nothing is noted of an account that this client doesn't know.
        try cache.note(try #require(StatedLifetime(in: rejection, at: now)), of: "another")
        #expect(!store.all.contains { $0.key.homeAccountID == "another" })
    }

    @Test("Unusable numbers in a shared cache claim nothing", arguments: ["soon", .null, [:], true] as [JSONValue])
    func unusable(value: JSONValue) throws {
        let signIn = CredentialRecord(
            CredentialKey(.accountMetadata, homeAccountID: "uid.utid", client: "client-1"),
            ["sign_in_state": "signed_in", "signed_in_on": value, "maximum_age": value, "maximum_inactivity": value])
        let token = CredentialRecord(
            CredentialKey(.refreshToken, homeAccountID: "uid.utid", environment: "e", client: "client-1"),
            ["secret": "rt", "expires_on": value, "last_modification_time": value])
        let tokens = MSALCachedTokens(of: [token, signIn], client: "client-1")
        #expect(tokens?.canRefresh == true)
        #expect(tokens?.signInExpiry == nil && tokens?.signedInOn == nil)
    }

    @Test("Nothing is claimed of a time that the clock hasn't reached")
    func clock() async throws {
        let signedIn = try await SignedInWorld()
        try signedIn.change(.refreshToken) { $0.members["expires_on"] = "9999999999" }
        #expect(try tokens(signedIn)?.signInExpiry?.basis == .stated)
        signedIn.world.time.advance(by: -Self.day)
        #expect(try tokens(signedIn) != nil)
        #expect(try tokens(signedIn)?.signInExpiry == nil)
        #expect(try tokens(signedIn)?.signedInOn == nil)
    }
}
