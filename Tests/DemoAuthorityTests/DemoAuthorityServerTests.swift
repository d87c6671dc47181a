import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The authority on loopback")
struct DemoAuthorityServerTests {
    @Test("A user signs in over real sockets", .timeLimit(.minutes(10)))
    func signIn() async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let client = SocketClient()
        let configuration = try await client.send(
            HTTPRequest(.get, server.authorityURL().appending(path: "v2.0/.well-known/openid-configuration")))
        let document = try OpenIDConfiguration(parsing: configuration.body)
        var address = try #require(URLComponents(url: document.authorizationEndpoint, resolvingAgainstBaseURL: false))
        address.percentEncodedQuery = Bench.authorizeParameters.formEncoded
        let person = ScriptedPerson(username: "wang@contoso.example", password: "wang-likes-jazz") {
            try await client.send($0)
        }
        let callback = try await person.walk(from: try #require(address.url))
        let code = try #require(AuthorizationResponse.parameters(of: callback)["code"])
        let form: Parameters = [
            "grant_type": "authorization_code", "client_id": server.clientID, "code": code,
            "redirect_uri": Bench.redirectURI, "code_verifier": Bench.verifier,
        ]
        let tokens = try await client.send(.form(form, to: document.tokenEndpoint))
        #expect(tokens.status == 200)
        #expect(tokens.date != nil)
        let idToken = try JWT(parsing: tokens.json.text("id_token"))
        let keys = try JWKSet(parsing: try await client.send(HTTPRequest(.get, document.jwksURI)).body)
        let key = try #require(keys.keys(for: idToken.keyID, algorithm: .rs256).first)
        #expect(key.publicKey.isValidSignature(idToken.signature, of: idToken.signingInput, algorithm: .rs256))
        #expect(idToken.payload["iss"] == .string(server.openIDIssuer.absoluteString))
    }

    @Test("Another Host is rejected on the wire too", .timeLimit(.minutes(10)))
    func otherHost() async throws {
        let server = try await DemoAuthorityServer.start()
        defer { server.stop() }
        let response = try await SocketClient().send(
            HTTPRequest(.get, server.origin, headers: ["Host": "evil.example"]))
        #expect(response.status == 421)
    }
}

/// A foreign HTTP client that follows no redirect.
private final class SocketClient: NSObject, URLSessionTaskDelegate {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method.rawValue
        for field in request.headers.fields { urlRequest.addValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let configuration = URLSessionConfiguration.ephemeral
        // A cache asks for locale data, which the program must do without: Tests/CLocaleGuard would end the tests.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, answer) = try await session.data(for: urlRequest)
        let response = try #require(answer as? HTTPURLResponse)
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields { headers.append("\(name)", "\(value)") }
        return HTTPResponse(status: response.statusCode, headers: headers, body: Array(data))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
