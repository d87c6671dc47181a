import DemoAuthority
import Foundation
import KeyturnCrypto
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Tokens bound to this machine's key (docs/upstream-behaviour.md §11), at the built-in authority.
@Suite(.oneSessionAtATime) struct ProofOfPossessionTests {
    private static let resource = "https://graph.example:8443/v1.0/me?select=name"

    private func scheme(nonce: String? = "from-the-resource") throws -> MSALAuthenticationSchemePop {
        MSALAuthenticationSchemePop(
            httpMethod: .POST, request: try #require(URL(string: Self.resource)), nonce: nonce,
            additionalParameters: nil)
    }

    private func signIn(
        _ world: inout World, _ scheme: (any MSALAuthenticationSchemeProtocol)?
    ) async throws -> MSALResult {
        world.seat(.ann)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.authenticationScheme = scheme
        let result = try await world.application().acquireToken(with: parameters)
        world.browser = ForbiddenBrowser()
        world.transport.forget()
        return result
    }

    private func silent(
        _ world: World, _ account: MSALAccount, _ scheme: (any MSALAuthenticationSchemeProtocol)?
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.authenticationScheme = scheme
        return try await world.application().acquireTokenSilent(with: parameters)
    }

    @Test func theTokenIsBoundToTheKeyAndToTheRequest() async throws {
        var world = try World()
        let result = try await signIn(&world, scheme())
        let key = try world.proofKeys.key().publicKey
        let request = try JWT(parsing: result.accessToken)
        #expect(key.isValidSignature(request.signature, of: request.signingInput, algorithm: .rs256))
        #expect(request.payload["m"] == "POST")
        #expect(request.payload["u"] == "graph.example:8443")
        #expect(request.payload["p"] == "/v1.0/me")
        #expect(request.payload["nonce"] == "from-the-resource")
        let accessToken = try JWT(parsing: try #require(request.payload["at"]?.string))
        #expect(accessToken.payload["cnf"]?["kid"]?.string == key.thumbprint)
        #expect(result.authenticationScheme == "Pop")
        #expect(result.authorizationHeader == "Pop \(result.accessToken)")
    }

    @Test func theAuthorityGetsTheKey() async throws {
        var world = try World()
        world.seat(.ann)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.authenticationScheme = try scheme()
        _ = try await world.application().acquireToken(with: parameters)
        let body = try #require(world.transport.requests.last { $0.url.path().hasSuffix("/token") }?.body)
        let form = Parameters(formEncoded: String(decoding: body, as: UTF8.self))
        #expect(form["token_type"] == "pop")
        let keyID = try world.proofKeys.key().publicKey.thumbprint
        #expect(form["req_cnf"].flatMap { TokenConfirmation(parsing: $0) } == TokenConfirmation(keyID: keyID))
    }

    @Test func theCacheStoresTheTokenAndNotTheSignedRequest() async throws {
        var world = try World()
        let result = try await signIn(&world, scheme())
        let record = try #require(world.store.all.first { $0.key.kind == .boundAccessToken })
        #expect(record.members["credential_type"] == "AccessToken_With_AuthScheme")
        #expect(record.members["token_type"] == "pop")
        #expect(record.members["kid"]?.string == (try world.proofKeys.key().publicKey.thumbprint))
        #expect(record.members["secret"]?.string == (try JWT(parsing: result.accessToken).payload["at"]?.string))
        #expect(!world.store.all.contains { $0.key.kind == .accessToken })
    }

    @Test func everyRequestGetsANewSignature() async throws {
        var world = try World()
        let first = try await signIn(&world, scheme())
        world.time.advance(by: 5)
        let second = try await silent(world, first.account, scheme(nonce: nil))
        let third = try await silent(world, first.account, scheme(nonce: nil))
        #expect(second.isFromCache && third.isFromCache)
        #expect(world.transport.requests.isEmpty)
        let payloads = try [first, second, third].map { try JWT(parsing: $0.accessToken).payload }
        #expect(Set(payloads.map { $0["nonce"] }).count == 3)
        #expect(Set(payloads.map { $0["at"] }).count == 1)
        #expect(payloads[1]["ts"] == .integer(Int64(ManualTime.start.timeIntervalSince1970) + 5))
    }

    @Test func bearerAndBoundTokensDoNotServeForEachOther() async throws {
        var world = try World()
        let bearer = try await signIn(&world, nil)
        #expect(bearer.authorizationHeader == "Bearer \(bearer.accessToken)")
        let bound = try await silent(world, bearer.account, scheme())
        #expect(!bound.isFromCache)
        #expect(try await silent(world, bearer.account, nil).isFromCache)
        #expect(try await silent(world, bearer.account, scheme()).isFromCache)
    }

    @Test func anotherKeyNeedsAnotherToken() async throws {
        var world = try World()
        let first = try await signIn(&world, scheme())
        world.proofKeys.replace(with: .success(try PrivateKey.generate(.rsa(bits: 2048))))
        #expect(try await !silent(world, first.account, scheme()).isFromCache)
        #expect(world.store.all.count { $0.key.kind == .boundAccessToken } == 1)
    }

    @Test func removalDeletesBoundTokensToo() async throws {
        var world = try World()
        let account = try await signIn(&world, scheme()).account
        try world.application().remove(account)
        #expect(!world.store.all.contains { $0.key.kind == .boundAccessToken })
    }

    @Test(arguments: ["Bearer", "mac"]) func anotherTokenTypeIsRejectedAndNotSaved(type: String) async throws {
        var world = try World()
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"), var object = try? JSONValue(parsing: response.body).object
            else { return response }
            object["token_type"] = .string(type)
            return HTTPResponse(
                status: 200, headers: response.headers, body: Array(JSONValue.object(object).serialized.utf8))
        }
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await signIn(&world, scheme()) }
        #expect(
            error?.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(world.store.all.isEmpty)
    }

    @Test func withoutAKeyStoreTheErrorNamesIt() async throws {
        var world = try World()
        world.proofKeys.replace(with: .failure(ProofKeyFailure(reason: "The folder cannot be written.")))
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await signIn(&world, scheme()) }
        #expect(error?.localizedDescription == "The folder cannot be written.")
        #expect(world.store.all.isEmpty)
    }

    @Test func aForeignSchemeThatNamesNoRequestIsRejected() async throws {
        struct Stranger: MSALAuthenticationSchemeProtocol {
            let scheme: MSALAuthScheme
            let authenticationScheme = "x"
        }
        #expect(try TokenScheme(Stranger(scheme: .bearer)) == .bearer)
        #expect(throws: AuthenticationFailure.self) { try TokenScheme(Stranger(scheme: .pop)) }
    }
}
