import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Token requests")
struct TokenRejectionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let changes: [String: String?]
        let error: String
        let number: Int64
        var status = 400
        var testDescription: String { name }
    }

    private static let wrongCases = [
        Case(name: "no client", changes: ["client_id": nil], error: "invalid_request", number: 900144),
        Case(name: "unknown client", changes: ["client_id": "unknown"], error: "unauthorized_client", number: 700016),
        Case(name: "a secret", changes: ["client_secret": "x"], error: "invalid_client", number: 700025, status: 401),
        Case(name: "no grant type", changes: ["grant_type": nil], error: "invalid_request", number: 900144),
        Case(
            name: "unknown grant type", changes: ["grant_type": "password"], error: "unsupported_grant_type",
            number: 70003),
        Case(name: "no code", changes: ["code": nil], error: "invalid_request", number: 900144),
        Case(name: "made-up code", changes: ["code": "guess"], error: "invalid_grant", number: 70000),
        Case(name: "no redirect URI", changes: ["redirect_uri": nil], error: "invalid_request", number: 900144),
        Case(
            name: "another port", changes: ["redirect_uri": "http://localhost:1"], error: "invalid_grant", number: 50011
        ),
        Case(name: "no verifier", changes: ["code_verifier": nil], error: "invalid_grant", number: 50148),
        Case(
            name: "another verifier", changes: ["code_verifier": String(repeating: "a", count: 43)],
            error: "invalid_grant", number: 501481),
        Case(name: "short verifier", changes: ["code_verifier": "a"], error: "invalid_grant", number: 501481),
        Case(
            name: "the challenge as verifier", changes: ["code_verifier": Bench.challenge], error: "invalid_grant",
            number: 501481),
        Case(name: "unknown scope", changes: ["scope": "Moon.Walk"], error: "invalid_scope", number: 70011),
        Case(
            name: "two resources", changes: ["scope": "User.Read api://keyturn-files/Files.Read"],
            error: "invalid_scope", number: 28000),
    ]

    @Test("Each mistake gets its OAuth error, and the code stays valid for the right request", arguments: wrongCases)
    func wrong(request: Case) async throws {
        let bench = try Bench()
        let code = try #require(try await bench.answer(of: bench.user())["code"])
        let response = try bench.redeem(code, request.changes)
        let body = try response.json
        #expect(response.status == request.status)
        #expect(body["error"] == .string(request.error))
        #expect(body["error_codes"] == [.integer(request.number)])
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(!response.text.contains(code))
        #expect(try bench.redeem(code).status == 200)
    }

    @Test("An error has the details for support, in Entra's format")
    func members() throws {
        let bench = try Bench()
        let correlation = "11111111-2222-4333-8444-555555555555"
        let response = try bench.post(
            "/common/oauth2/v2.0/token", [:],
            headers: ["client-request-id": correlation, "return-client-request-id": "true"])
        let body = try response.json
        let trace = try body.text("trace_id")
        #expect(try body.text("correlation_id") == correlation)
        #expect(try body.text("timestamp") == "2026-01-01 00:00:00Z")
        #expect(
            try body.text("error_description")
                == "AADSTS900144: A required parameter is missing. Add client_id. "
                + "Trace ID: \(trace) Correlation ID: \(correlation) Timestamp: 2026-01-01 00:00:00Z")
        #expect(response.headers["x-ms-request-id"] == trace)
        #expect(response.headers["client-request-id"] == correlation)
        #expect(UUID(uuidString: trace) != nil)
    }

    @Test("The client's correlation ID appears everywhere in the client's spelling")
    func correlation() throws {
        let bench = try Bench()
        let correlation = "AAAAAAAA-2222-4333-8444-55555555555F"
        let response = try bench.post(
            "/common/oauth2/v2.0/token", [:],
            headers: ["client-request-id": correlation, "return-client-request-id": "true"])
        #expect(try response.json.text("correlation_id") == correlation)
        #expect(try response.json.text("error_description").contains("Correlation ID: \(correlation) "))
        #expect(response.headers["client-request-id"] == correlation)
    }

    @Test("A secret in the Authorization field is rejected with its scheme named (RFC 6749 §5.2)")
    func basicAuthentication() throws {
        let response = try Bench().post(
            "/common/oauth2/v2.0/token", ["client_id": "a"], headers: ["Authorization": "Basic YTpi"])
        #expect(response.status == 401)
        #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
    }

    @Test(
        "An empty secret in the Authorization field counts as none: the client is identified by its ID",
        arguments: [
            ("app:", "app", 700016), ("app:", nil, 700016), ("a%2Bb:", "a+b", 700016), ("app:", "other", 700025),
            ("app:secret", "app", 700025), ("app", "app", 700025), (":", "app", 700025), ("a:b:", "a", 700025),
        ] as [(String, String?, Int)])
    func emptySecret(_ credentials: String, _ clientID: String?, _ code: Int) throws {
        var form: Parameters = ["grant_type": "refresh_token", "refresh_token": "x"]
        if let clientID { form.append("client_id", clientID) }
        let response = try Bench().post(
            "/common/oauth2/v2.0/token", form,
            headers: ["Authorization": "Basic \(Data(credentials.utf8).base64EncodedString())"])
        #expect(try response.json["error_codes"] == [.integer(Int64(code))])
    }

    @Test("A repeated parameter is rejected")
    func repeated() throws {
        let response = try Bench().post("/common/oauth2/v2.0/token", ["code": "a", "code": "b"])
        #expect(try response.json["error_codes"] == [9_000_411])
    }

    @Test("A body that is not a form is rejected")
    func notAForm() throws {
        let bench = try Bench()
        let body = Array(#"{"grant_type":"authorization_code"}"#.utf8)
        let request = HTTPRequest(
            .post, try bench.url("/common/oauth2/v2.0/token"), headers: ["Content-Type": "application/json"], body: body
        )
        #expect(try bench.send(request).json["error"] == "invalid_request")
    }

    @Test("A code used twice is rejected and its tokens are revoked (RFC 6749 §4.1.2)")
    func codeReuse() async throws {
        let bench = try Bench()
        let code = try #require(try await bench.answer(of: bench.user())["code"])
        let refreshToken = try bench.redeem(code).json.text("refresh_token")
        #expect(try bench.redeem(code).json["error_codes"] == [54005])
        #expect(try bench.refresh(refreshToken).json["error"] == "invalid_grant")
    }

    @Test("A code is valid for five minutes")
    func codeExpiry() async throws {
        let bench = try Bench()
        let late = try #require(try await bench.answer(of: bench.user())["code"])
        let inTime = try #require(try await bench.answer(of: bench.user())["code"])
        bench.advance(by: 299)
        #expect(try bench.redeem(inTime).status == 200)
        bench.advance(by: 1)
        #expect(try bench.redeem(late).json["error_codes"] == [70008])
    }

    @Test("A code is for the tenant that issued it", arguments: [("contoso", 200), ("common", 200), ("fabrikam", 400)])
    func codeOfOtherTenant(tenant: String, status: Int) async throws {
        let bench = try Bench()
        let code = try #require(try await bench.answer(of: bench.user(), tenant: "contoso")["code"])
        let response = try bench.redeem(code, tenant: tenant)
        #expect(response.status == status)
        if status == 400 { #expect(try response.json["error_codes"] == [700005]) }
    }

    @Test("Another client cannot redeem a code or a refresh token, and does not invalidate them")
    func otherClient() async throws {
        var directory = Directory.standard
        directory.clients.append(
            RegisteredClient(id: "other", name: "Other", redirectURIs: ["http://localhost"], staticScopes: []))
        let bench = try Bench(directory: directory)
        let code = try #require(try await bench.answer(of: bench.user())["code"])
        #expect(try bench.redeem(code, ["client_id": "other"]).json["error_codes"] == [70000])
        let refreshToken = try bench.redeem(code).json.text("refresh_token")
        #expect(try bench.refresh(refreshToken, ["client_id": "other"]).json["error_codes"] == [70000])
        #expect(try bench.refresh(refreshToken).status == 200)
    }

    @Test("Without openid there is no ID token, without offline_access no refresh token")
    func leftOut() async throws {
        let tokens = try await Bench().signIn(["scope": "User.Read"])
        #expect(tokens["id_token"] == nil)
        #expect(tokens["refresh_token"] == nil)
        #expect(tokens["scope"] == "User.Read")
    }
}
