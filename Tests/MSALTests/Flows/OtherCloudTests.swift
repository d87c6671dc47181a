import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// An authority that names another cloud for the signed-in user (docs/upstream-behaviour.md §2.1).
@Suite("Redirection to another cloud", .oneSessionAtATime) struct OtherCloudTests {
    /// Two clouds of one authority: one at 127.0.0.1, the other at localhost.
    private func twoClouds(naming cloud: String) throws -> World {
        var world = try World()
        world.seat(.ann) { url in
            URL(string: "\(url.absoluteString)&cloud_instance_host_name=\(cloud)") ?? url
        }
        world.transport.tamper { request, response in
            var response = response
            let text = String(decoding: response.body, as: UTF8.self)
            if request.url.path().hasSuffix("discovery/instance") {
                response.body = Array(Self.discovery.utf8)
            } else if request.url.host() == "localhost", request.url.path().hasSuffix("openid-configuration") {
                response.body = Array(
                    text.replacing(#""token_endpoint":"http://127.0.0.1"#, with: #""token_endpoint":"http://localhost"#)
                        .utf8)
            }
            return response
        }
        return world
    }

    private static let discovery = """
        {"tenant_discovery_endpoint": "http://127.0.0.1:8400/common/v2.0/.well-known/openid-configuration", "metadata": [
         {"preferred_network": "127.0.0.1:8400", "preferred_cache": "127.0.0.1:8400", "aliases": ["127.0.0.1:8400"]},
         {"preferred_network": "localhost:8400", "preferred_cache": "localhost:8400",
          "aliases": ["localhost:8400", "127.0.0.1:8400"]}]}
        """

    private func tokenHosts(_ world: World) -> [String?] {
        world.transport.requests.filter { $0.url.path().hasSuffix("/token") }.map { $0.url.host() }
    }

    private static let table: [(cloud: String, isSupported: Bool, host: String)] = [
        ("localhost:8400", true, "localhost"),
        ("LOCALHOST:8400", true, "localhost"),
        ("localhost:8400", false, "127.0.0.1"),
        ("evil.example", true, "127.0.0.1"),
        ("localhost:8400@evil.example", true, "127.0.0.1"),
        ("", true, "127.0.0.1"),
    ]

    @Test("A known cloud gets the token request if multiple clouds are supported; no other does", arguments: table)
    func tokenHost(cloud: String, isSupported: Bool, host: String) async throws {
        let world = try twoClouds(naming: cloud)
        let application = try world.application { $0.multipleCloudsSupported = isSupported }
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        let result = try await application.acquireToken(with: parameters)
        #expect(tokenHosts(world) == [host])
        #expect(result.authority.url.host() == host)
    }

    @Test(
        "A refresh token is sent only to its own cloud",
        arguments: [
            (endpoint: "http://127.0.0.1:8400/common/oauth2/v2.0/token", isOwn: true),
            ("https://login.other.example/common/oauth2/v2.0/token", false),
            ("http://127.0.0.1:8401/common/oauth2/v2.0/token", false),
        ])
    func refreshToken(endpoint: String, isOwn: Bool) async throws {
        let signedIn = try await SignedInWorld()
        // Drops the endpoints that the sign-in found.
        signedIn.world.time.advance(by: MetadataSource.maximumAge + 1)
        signedIn.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("openid-configuration") else { return response }
            let own = #/"token_endpoint":"[^"]*"/#
            let text = String(decoding: response.body, as: UTF8.self)
                .replacing(own, with: #""token_endpoint":"\#(endpoint)""#)
            return HTTPResponse(status: 200, body: Array(text.utf8))
        }
        guard !isOwn else {
            _ = try await signedIn.token()
            return #expect(signedIn.tokenRequests.count == 1)
        }
        let error = try await signedIn.failure()
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.userInfo[MSALOAuthErrorKey] == nil)
        #expect(signedIn.tokenRequests.isEmpty)
        #expect(!signedIn.secrets(.refreshToken).isEmpty)
    }
}
