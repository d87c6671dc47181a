import Foundation
import MSAL
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("The authority on loopback")
struct DemoAuthorityServerTests {
    @Test("A user signs in over real sockets", .timeLimit(.minutes(10)))
    func signIn() async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let client = CurlTransport()
        let configuration = try await client.send(
            HTTPRequest(.get, server.authorityURL().appending(path: "v2.0/.well-known/openid-configuration")))
        let document = try OpenIDConfiguration(parsing: configuration.body)
        var address = try #require(URLComponents(url: document.authorizationEndpoint, resolvingAgainstBaseURL: false))
        address.percentEncodedQuery = Bench.authorizeParameters.formEncoded
        let user = ScriptedUser(username: "wang@contoso.example", password: "wang-likes-jazz") {
            try await client.send($0)
        }
        let callback = try await user.walk(from: try #require(address.url))
        let code = try #require(AuthorizationResponse.parameters(of: callback)["code"])
        let form: Parameters = [
            "grant_type": "authorization_code", "client_id": server.clientID, "code": code,
            "redirect_uri": Bench.redirectURI, "code_verifier": Bench.verifier,
        ]
        let tokens = try await client.send(.form(form, to: document.tokenEndpoint))
        #expect(tokens.status == 200)
        #expect(tokens.date != nil)
        let idToken = try JWT(parsing: tokens.json.text("id_token"))
        let keys = try JWKSet(parsing: try await client.send(HTTPRequest(.get, try #require(document.jwksURI))).body)
        let key = try #require(keys.keys(for: idToken.keyID, algorithm: .rs256).first)
        #expect(key.publicKey.isValidSignature(idToken.signature, of: idToken.signingInput, algorithm: .rs256))
        #expect(idToken.payload["iss"] == .string(server.openIDIssuer.absoluteString))
    }

    @Test("Another Host is rejected on the wire too", .timeLimit(.minutes(10)))
    func otherHost() async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let response = try await CurlTransport().send(
            HTTPRequest(.get, server.origin, headers: ["Host": "evil.example"]))
        #expect(response.status == 421)
    }
}
