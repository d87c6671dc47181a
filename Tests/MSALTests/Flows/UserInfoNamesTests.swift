import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A provider whose ID token has only a subject, and whose userinfo endpoint says who that is.
@Suite("Names of the userinfo endpoint", .oneSessionAtATime)
struct UserInfoNamesTests {
    private static let wang = "wang@contoso.example"

    /// Ann signs in without the scopes that put names into the ID token. The userinfo endpoint calls its user Wang.
    private func signIn(subject other: String?, requiredUser: String? = nil) async throws -> (World, MSALResult) {
        var world = try World()
        let transport = world.transport
        transport.tamper { request, response in
            guard request.url.path().hasSuffix("/userinfo") else { return response }
            let token = try? JWT(
                parsing: request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? "")
            let claims: JSONValue = [
                "sub": other.map(JSONValue.string) ?? token?.payload["sub"] ?? .null,
                "preferred_username": .string(Self.wang),
            ]
            return HTTPResponse(status: 200, body: Array(claims.serialized.utf8))
        }
        let user = ScriptedUser(username: "ann@contoso.example", password: "ann-likes-tea") { request in
            var request = request
            let text = request.url.absoluteString
            if request.url.path().hasSuffix("/authorize"),
                let url = URL(string: text.replacing(/profile(%20|\+)/, with: ""))
            {
                request.url = url
            }
            return try await transport.send(request)
        }
        world.browser = FollowingBrowser(user: user, receiver: world.receiver)
        let application = try world.application(authority: "\(Directory.contoso)/v2.0", isOpenID: true)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.requiredUser = requiredUser
        return (world, try await application.acquireToken(with: parameters))
    }

    @Test("Name the user of the ID token, and no other subject (OpenID Connect Core §5.3.2)")
    func subject() async throws {
        #expect(try await signIn(subject: nil).1.account.username == Self.wang)
        let result = try await signIn(subject: "another-user").1
        let token = try JWT(parsing: try #require(result.idToken))
        #expect(result.account.username == token.payload["sub"]?.string)
    }

    @Test("Don't make another subject the required user")
    func required() async throws {
        _ = try await signIn(subject: nil, requiredUser: Self.wang)
        let error = try await SignedInWorld.failure {
            try await signIn(subject: "another-user", requiredUser: Self.wang).1
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorMismatchedUser.rawValue)
    }
}
