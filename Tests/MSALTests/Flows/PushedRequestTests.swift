import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Sign-ins whose request the application sends itself (RFC 9126).
@Suite(.oneSessionAtATime) struct PushedRequestTests {
    private func world(_ offer: PushedRequests) throws -> World {
        var settings = AuthoritySettings()
        settings.pushedRequests = offer
        return try World(settings)
    }

    private static func response(_ members: JSONValue, _ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(members.serialized.utf8))
    }

    /// Ann signs in. Returns the URL that the browser opens.
    private func signIn(
        _ world: World, _ log: EventLog = EventLog(), pastes: Bool = false,
        before: @escaping @Sendable (URL) async throws -> Void = { _ in }
    ) async throws -> URL {
        let opened = Locked<URL?>(nil)
        let webview = MSALWebviewParameters()
        webview.expectsPaste = pastes
        webview.openURLHandler = { url in
            opened.withLock { $0 = url }
            try await before(url)
            let landing = try await world.user(.ann).walk(from: url)
            if pastes {
                try MSALPublicClientApplication.handlePastedResponse(landing.absoluteString)
            } else {
                _ = world.receiver.deliver(landing)
            }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.flowEventHandler = log.handler
        let result = try await world.application().acquireToken(with: parameters)
        #expect(result.account.username == "ann@contoso.example")
        return try #require(opened.withLock { $0 })
    }

    @Test("The URL has the client ID and a reference", arguments: [PushedRequests.offered, .required], [false, true])
    func short(offer: PushedRequests, pastes: Bool) async throws {
        let world = try world(offer)
        let log = EventLog()
        let url = try await signIn(world, log, pastes: pastes)
        #expect(Parameters(queryOf: url.absoluteString).pairs.map(\.name) == ["client_id", "request_uri"])
        #expect(url.absoluteString.utf8.count < 200)
        #expect(
            log.all.contains {
                $0.step == .pushRequest && $0.detail == "127.0.0.1:8400 has the request. Open the URL within 60 s"
            })
        // For the command that forwards it over ssh.
        #expect(log.all.contains { $0.authorizationURL == url && $0.redirectPort != nil })
    }

    @Test("Where it is only offered, the browser brings the request if the authority doesn't take it")
    func offered() async throws {
        for status in [400, 401, 403, 404, 500, 503] {
            let world = try world(.offered)
            world.transport.tamper { request, response in
                request.url.path().hasSuffix("/par")
                    ? Self.response(["error": status < 500 ? "invalid_client" : "server_error"], status) : response
            }
            let url = try await signIn(world)
            #expect(Parameters(queryOf: url.absoluteString)["redirect_uri"] != nil)
        }
    }

    @Test("Where it is required, what the authority rejects ends the sign-in before a browser opens")
    func required() async throws {
        let world = try world(.required)
        world.transport.tamper { request, response in
            request.url.path().hasSuffix("/par")
                ? Self.response(
                    ["error": "invalid_request", "error_description": "The redirect URI isn't registered."], 400)
                : response
        }
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await signIn(world) { _ in Issue.record("A browser opened.") }
        }
        #expect(error?.localizedDescription.contains("redirect URI isn't registered") == true)
        // Nothing waits any more.
        #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())
    }

    @Test(
        "Metadata that requires it without a usable endpoint is named",
        arguments: [nil, "http://elsewhere.example/par", "ftp://127.0.0.1/par", 7] as [JSONValue?])
    func endpoint(address: JSONValue?) async throws {
        let world = try world(.required)
        world.transport.changeJSON(of: "openid-configuration") {
            $0["pushed_authorization_request_endpoint"] = address
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { try await signIn(world) }
        #expect(error?.localizedDescription.contains("pushed_authorization_request_endpoint") == true)
    }

    @Test(
        "A URL to paste can expire, which is said",
        arguments: [(60, true), (nil, false), (100_000, false)] as [(Int?, Bool)])
    func expiry(lifetime: Int?, isSaid: Bool) async throws {
        let world = try world(.offered)
        world.transport.changeJSON(of: "/par") { $0["expires_in"] = lifetime.map { .integer(Int64($0)) } }
        let (log, opened) = (EventLog(), Locked<URL?>(nil))
        let webview = MSALWebviewParameters()
        webview.expectsPaste = true
        webview.openURLHandler = { url in opened.withLock { $0 = url } }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.flowEventHandler = log.handler
        let application = try world.application()
        let task = Task { try await application.acquireToken(with: parameters) }
        func isNoted(_ start: String) -> Bool { log.all.contains { $0.phase == .noted && $0.detail.hasPrefix(start) } }
        try await wait(until: "the wait is told") {
            isNoted("The URL has expired") || !isSaid && isNoted("No response yet")
        }
        let landing = try await world.user(.ann).walk(from: try #require(opened.withLock { $0 }))
        try MSALPublicClientApplication.handlePastedResponse(landing.absoluteString)
        let result = try? await task.value
        // The clock has moved past the end of the request.
        #expect((result == nil) == isSaid)
        #expect(isNoted("The URL has expired") == isSaid)
    }

    @Test("A URL to paste has nothing that only counts versions")
    func versions() async throws {
        for pastes in [true, false] {
            let names = Parameters(queryOf: try await signIn(try world(.notOffered), pastes: pastes).absoluteString)
                .pairs.map(\.name)
            #expect(names.contains { $0.hasPrefix("x-client-") || $0.hasPrefix("x-app-") } != pastes)
            #expect(names.contains("client-request-id"))
        }
    }
}
