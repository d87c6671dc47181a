// The toolchain has no Testing library for programs, and the benchmarks are one.
#if canImport(Testing)
import DemoAuthority
import Foundation
import MSAL
import OAuthCore
import Testing

/// A world in which Ann has signed in. The test fails if the browser opens.
package struct SignedInWorld {
    package let world: World
    package let application: MSALPublicClientApplication
    package let account: MSALAccount

    package init(
        _ settings: AuthoritySettings = AuthoritySettings(), transport: ((World) -> any HTTPTransport)? = nil,
        configure: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) async throws {
        var world = try World(settings)
        world.seat(.ann)
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        account = try await world.application().acquireToken(with: parameters).account
        world.browser = ForbiddenBrowser()
        world.transport.forget()
        application = try world.application(transport: transport?(world), change: configure)
        self.world = world
    }

    package func parameters(force: Bool = false) -> MSALSilentTokenParameters {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = force
        return parameters
    }

    package func token(force: Bool = false) async throws -> MSALResult {
        try await application.acquireTokenSilent(with: parameters(force: force))
    }

    package func failure(force: Bool = false) async throws -> NSError {
        try await Self.failure { try await token(force: force) }
    }

    package static func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await work() }
        return try #require(error)
    }

    /// The forms of the token requests so far.
    package var tokenRequests: [Parameters] {
        world.transport.requests.filter { $0.url.path().hasSuffix("/token") }
            .map { Parameters(formEncoded: String(decoding: $0.body, as: UTF8.self)) }
    }

    /// Responds to token requests with `answer`; if it returns `nil`, the authority responds.
    package func answer(_ answer: @escaping @Sendable (Parameters) -> HTTPResponse?) {
        world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token") else { return response }
            return answer(Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))) ?? response
        }
    }

    package func change(_ kind: CredentialKey.Kind, _ change: (inout CredentialRecord) -> Void) throws {
        let records = world.store.all.filter { $0.key.kind == kind }
        try world.store.update(matching: CredentialQuery()) { _ in
            records.map { record in
                var changed = record
                change(&changed)
                return .save(changed)
            }
        }
    }

    package func secrets(_ kind: CredentialKey.Kind) -> Set<String> {
        Set(world.store.all.filter { $0.key.kind == kind }.compactMap { $0.members["secret"]?.string })
    }
}

extension HTTPResponse {
    /// An error response of the token endpoint.
    package static func rejection(_ error: String, suberror: String? = nil) -> HTTPResponse {
        let body = suberror.map { #"{"error":"\#(error)","suberror":"\#($0)"}"# } ?? #"{"error":"\#(error)"}"#
        return HTTPResponse(status: 400, body: Array(body.utf8))
    }
}
#endif
