import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Refresh tokens")
struct RefreshTokenTests {
    @Test("Each use returns a new token, and new tokens for the same user")
    func rotation() async throws {
        let bench = try Bench()
        let first = try await bench.signIn()
        bench.advance(by: 4000)
        let second = try bench.refresh(try first.text("refresh_token")).json
        #expect(try second.text("refresh_token") != first.text("refresh_token"))
        let old = try JWT(parsing: first.text("id_token")).payload
        let new = try JWT(parsing: second.text("id_token")).payload
        #expect(new["sub"] == old["sub"])
        #expect(new["auth_time"] == old["auth_time"])
        #expect(new["exp"]?.double == bench.now.timeIntervalSince1970 + 3600)
        #expect(new["nonce"] == nil)
        #expect(try bench.refresh(try second.text("refresh_token")).status == 200)
    }

    @Test("An old token is rejected and revokes the whole family (RFC 9700 §4.14.2)")
    func reuse() async throws {
        let bench = try Bench()
        let first = try await bench.signIn().text("refresh_token")
        let second = try bench.refresh(first).json.text("refresh_token")
        let rejection = try bench.refresh(first).json
        #expect(rejection["error"] == "invalid_grant")
        #expect(rejection["suberror"] == "bad_token")
        #expect(!rejection.serialized.contains(first))
        #expect(try bench.refresh(second).json["error"] == "invalid_grant")
    }

    @Test("Revoking one sign-in leaves others alone")
    func families() async throws {
        let bench = try Bench()
        let here = try await bench.signIn().text("refresh_token")
        let there = try await bench.signIn().text("refresh_token")
        _ = try bench.refresh(here)
        #expect(try bench.refresh(here).status == 400)
        #expect(try bench.refresh(there).status == 200)
    }

    @Test("A revoked token is invalid, and so is every later one of its sign-in (RFC 7009)")
    func revocation() async throws {
        let bench = try Bench()
        let first = try await bench.signIn().text("refresh_token")
        let other = try await bench.signIn().text("refresh_token")
        let response = try bench.revoke(first)
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(try bench.refresh(first).json["error"] == "invalid_grant")
        #expect(try bench.refresh(other).status == 200)
        // Unknown tokens are invalid already (RFC 7009 §2.2).
        #expect(try bench.revoke(first).status == 200)
        #expect(try bench.revoke("unknown").status == 200)
    }

    @Test("A token of another client, an access token or no token is not revoked")
    func rejectedRevocation() async throws {
        let bench = try Bench()
        let tokens = try await bench.signIn()
        let access = try bench.revoke(try tokens.text("access_token")).json
        #expect(access["error"] == "unsupported_token_type")
        let refresh = try tokens.text("refresh_token")
        #expect(try bench.revoke(refresh, ["client_id": "unknown"]).json["error"] == "unauthorized_client")
        #expect(try bench.revoke("").json["error"] == "invalid_request")
        #expect(try bench.refresh(refresh).status == 200)
    }

    @Test("It expires 90 days after its last use")
    func expiry() async throws {
        let bench = try Bench()
        let first = try await bench.signIn().text("refresh_token")
        bench.advance(by: 80 * 86400)
        let second = try bench.refresh(first).json.text("refresh_token")
        bench.advance(by: 90 * 86400)
        #expect(try bench.refresh(second).json["error_codes"] == [700082])
    }

    @Test("More scopes need the user's consent first")
    func moreScopes() async throws {
        let bench = try Bench()
        let token = try await bench.signIn().text("refresh_token")
        let rejection = try bench.refresh(token, ["scope": "Mail.Read"]).json
        #expect(rejection["error"] == "invalid_grant")
        #expect(rejection["suberror"] == "consent_required")
        _ = try await bench.answer(of: bench.user(), ["scope": "Mail.Read"])
        let granted = try bench.refresh(token, ["scope": "openid profile Mail.Read"]).json
        #expect(granted["scope"] == "openid profile Mail.Read User.Read")
    }

    @Test(
        "A guest's token is valid only in the inviting tenant",
        arguments: [
            ("contoso", 200), ("fabrikam", 200), ("common", 200), ("consumers", 400),
        ])
    func guest(tenant: String, status: Int) async throws {
        let bench = try Bench()
        let token = try await bench.signIn(as: "zoe@fabrikam.example").text("refresh_token")
        let response = try bench.refresh(token, tenant: tenant)
        #expect(response.status == status)
        guard status == 200 else { return }
        let tenantID = try JWT(parsing: try response.json.text("id_token")).payload["tid"]
        #expect(tenantID == .string(tenant == "contoso" ? Bench.contoso : Bench.fabrikam))
    }

    @Test("Forged tokens", arguments: ["", "x", ".", "a.b", String(repeating: "y", count: 40_000)])
    func madeUp(token: String) throws {
        let response = try Bench().refresh(token)
        #expect(response.status == 400)
        #expect(["invalid_grant", "invalid_request"].contains(try response.json["error"]?.string))
    }
}
