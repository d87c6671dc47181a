import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// An authority that sends anything at all: an error with the HTTP status and the correlation ID, and nothing saved.
@Suite("Hostile responses", .oneSessionAtATime) struct HostileAnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status = 200
        var body: String
    }

    private static let start = #"{"access_token":"at","token_type":"Bearer""#

    static let tokenAnswers: [Answer] =
        [
            Answer(testDescription: "nothing", body: ""),
            Answer(testDescription: "a page", body: "<html><body>Welcome to the hotel's network"),
            Answer(testDescription: "null", body: "null"),
            Answer(testDescription: "a list", body: "[]"),
            Answer(testDescription: "a text", body: #""access_token""#),
            Answer(testDescription: "cut short", body: start),
            Answer(testDescription: "not UTF-8", body: "\u{FFFD}\u{0}{}"),
            Answer(
                testDescription: "ten megabytes",
                body: start + #","x":""# + String(repeating: "x", count: 10 << 20) + "\"}"),
            Answer(testDescription: "deep", body: String(repeating: "[", count: 100_000)),
            Answer(testDescription: "deep objects", body: String(repeating: #"{"a":"#, count: 100_000)),
            Answer(testDescription: "no tokens", body: "{}"),
            Answer(testDescription: "a token that is a number", body: #"{"access_token":1,"token_type":"Bearer"}"#),
            Answer(testDescription: "a token that is a list", body: #"{"access_token":["a"],"token_type":"Bearer"}"#),
            Answer(testDescription: "no token type", body: #"{"access_token":"at"}"#),
            Answer(testDescription: "another token type", body: #"{"access_token":"at","token_type":"mac"}"#),
            Answer(testDescription: "two tokens", body: start + #","access_token":"b"}"#),
            Answer(testDescription: "a negative lifetime", body: start + #","expires_in":-1}"#),
            Answer(testDescription: "a huge lifetime", body: start + #","expires_in":1e300}"#),
            Answer(
                testDescription: "a lifetime beyond integers", body: start + #","expires_in":99999999999999999999999}"#),
            Answer(testDescription: "a lifetime in words", body: start + #","expires_in":"soon"}"#),
            Answer(testDescription: "a negative refresh time", body: start + #","refresh_in":-1}"#),
            Answer(testDescription: "scopes in an object", body: start + #","scope":{}}"#),
            Answer(testDescription: "a refresh token that is an object", body: start + #","refresh_token":{}}"#),
            Answer(testDescription: "client_info that is none", body: start + #","client_info":"%%%"}"#),
            Answer(testDescription: "an ID token that is none", body: start + #","id_token":"a.b"}"#),
            Answer(testDescription: "an unsigned ID token", body: start + #","id_token":"eyJhbGciOiJub25lIn0.e30."}"#),
            Answer(testDescription: "an error that is a number", status: 400, body: #"{"error":7}"#),
            Answer(testDescription: "an empty error", status: 400, body: #"{"error":""}"#),
            Answer(testDescription: "a proxy's page", status: 401, body: "<html>"),
        ]
        + [201, 204, 302, 403, 404, 408, 418, 429, 500, 502, 503, 599, 999].map {
            Answer(testDescription: "status \($0)", status: $0, body: start + "}")
        }

    /// Responses with a wrong ID token, which is checked after the response was parsed.
    private static let withoutStatus: Set<String> = ["an ID token that is none", "an unsigned ID token"]

    private func check(_ error: NSError, _ answer: Answer) {
        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == MSALError.internal.rawValue)
        #expect(error.userInfo[MSALInternalErrorCodeKey] is Int)
        #expect(error.userInfo[MSALCorrelationIDKey] is String)
        #expect(error.localizedDescription.utf8.count <= 8192)
        guard !Self.withoutStatus.contains(answer.testDescription) else { return }
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == String(answer.status))
    }

    @Test("To a refresh, they are errors and change nothing", arguments: tokenAnswers)
    func silent(answer: Answer) async throws {
        let signedIn = try await SignedInWorld()
        let before = signedIn.world.store.all
        signedIn.answer { _ in HTTPResponse(status: answer.status, body: Array(answer.body.utf8)) }
        check(try await signedIn.failure(force: true), answer)
        #expect(signedIn.world.store.all == before)
        #expect(try await signedIn.token().isFromCache)
    }

    @Test("To a code, they are errors and save nothing", arguments: tokenAnswers)
    func interactive(answer: Answer) async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { request, response in
            request.url.path().hasSuffix("/token")
                ? HTTPResponse(status: answer.status, body: Array(answer.body.utf8)) : response
        }
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        check(try await SignedInWorld.failure { try await application.acquireToken(with: parameters) }, answer)
        #expect(world.store.all.isEmpty)
    }

    static let documents = ["discovery/instance", ".well-known/openid-configuration", "/keys"]
    static let documentAnswers = tokenAnswers.filter {
        [
            "nothing", "a page", "null", "a list", "cut short", "ten megabytes", "deep", "no tokens", "status 404",
            "status 503", "status 302",
        ].contains($0.testDescription)
    }

    @Test("In place of public documents, they are errors and save nothing", arguments: documents, documentAnswers)
    func metadata(document: String, answer: Answer) async throws {
        var world = try World()
        world.seat(.ann)
        world.transport.tamper { request, response in
            request.url.path().hasSuffix(document)
                ? HTTPResponse(status: answer.status, body: Array(answer.body.utf8)) : response
        }
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        do {
            _ = try await application.acquireToken(with: parameters)
            // If instance discovery knows no cloud, the authority keeps its own name.
            #expect(document == Self.documents[0])
        } catch let error as MSALAuthenticationError {
            #expect(error.userInfo[MSALCorrelationIDKey] is String)
            #expect(world.store.all.isEmpty)
        }
    }
}
