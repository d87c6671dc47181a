import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import AuthEngine

/// The cause of a failure, as its caller sees it, when an authority behaves unusually.
@Suite("Causes of failures", .oneSessionAtATime) struct TrueReasonTests {
    @Test(
        "A refresh that is rejected without an OAuth error needs a sign-in",
        arguments: [(400, ""), (400, "{}"), (401, ""), (403, "<html>"), (409, "no")])
    func refreshWithoutReason(status: Int, body: String) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in HTTPResponse(status: status, body: Array(body.utf8)) }
        let error = try await signedIn.failure(force: true)
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "\(status)")
    }

    @Test("An outage during a refresh asks for no sign-in", arguments: ["temporarily_unavailable", "server_error"])
    func outage(error: String) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .refusal(error) }
        #expect(try await signedIn.failure(force: true).failureKind == .unavailable)
    }

    @Test("A token due for refresh serves while the authority is busy")
    func dueToken() async throws {
        let signedIn = try await SignedInWorld()
        try signedIn.change(.accessToken) { $0.members["refresh_on"] = "1767225601" }
        signedIn.world.time.advance(by: 60)
        signedIn.answer { _ in .refusal("temporarily_unavailable") }
        #expect(try await signedIn.token().isFromCache)
    }

    @Test("Documents that a busy server does not send are an outage", arguments: ["openid-configuration", "/keys"])
    func documents(path: String) async throws {
        var world = try World()
        world.seat(.ann)
        let log = EventLog()
        world.transport.tamper { request, response in
            request.url.path().hasSuffix(path)
                ? HTTPResponse(status: 503, headers: ["Retry-After": "120"]) : response
        }
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log.handler
        let application = try world.application()
        let error = try await #require(
            #expect(throws: MSALAuthenticationError.self) { try await application.acquireToken(with: parameters) })
        #expect(error.failureKind == .unavailable)
        #expect(error.localizedDescription == "127.0.0.1:8400 is busy (HTTP 503).")
        #expect(error.localizedRecoverySuggestion == "Try again in 120 s.")
        #expect(!log.all.contains { $0.detail.contains("rejected") })
        #expect(world.store.all.isEmpty)
    }

    @Test("A rejected ID token names the failed check")
    func failedCheck() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"),
                var object = try? JSONValue(parsing: response.body).object, let token = object["id_token"]?.string
            else { return response }
            var response = response
            object["id_token"] = .string(String(token.dropLast(8)) + "AAAAAAAA")
            response.body = Array(JSONValue.object(object).serialized.utf8)
            return response
        }
        let error = try await signedIn.failure(force: true)
        #expect(error.userInfo[MSALFailedChecksKey] as? [String] == ["Signature"])
        #expect(error.failureKind == .protocolViolation)
    }

    @Test("A refresh token that the token endpoint repeats is never shown")
    func echo() async throws {
        let signedIn = try await SignedInWorld()
        let secret = try #require(signedIn.secrets(.refreshToken).first)
        signedIn.answer { form in
            let body = #"{"error":"invalid_grant","error_description":"unknown: \#(form.formEncoded)"}"#
            return HTTPResponse(status: 400, body: Array(body.utf8))
        }
        let error = try await signedIn.failure(force: true)
        #expect(!"\(error.userInfo)".contains(secret))
        #expect(error.localizedDescription.contains("refresh_token="))
    }
}
