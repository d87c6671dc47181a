import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A sign-in that must end with a given user. Ann signs in each time, by every sign-in method of the engine.
@Suite("The required user", .oneSessionAtATime)
struct RequiredUserTests {
    enum Method: CaseIterable, Sendable { case browser, paste, device, broker }

    private static let ann = "ann@contoso.example"

    /// Ann's world, and the call under test.
    private func signIn(
        _ method: Method, as user: String
    ) async throws -> (world: World, call: () async throws -> MSALResult) {
        if method == .broker {
            let brokered = try await BrokeredWorld()
            brokered.run()
            let parameters = BrokeredWorld.parameters()
            parameters.requiredUser = user
            return (brokered.world, { try await brokered.application().acquireToken(with: parameters) })
        }
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        guard method != .device else {
            let parameters = deviceCodeParameters(in: world)
            parameters.requiredUser = user
            return (world, { try await application.acquireToken(with: parameters) })
        }
        let webview = MSALWebviewParameters()
        if method == .paste {
            webview.openURLHandler = { [world] address in
                let landing = try await world.user(.ann).walk(from: address)
                try MSALPublicClientApplication.handlePastedResponse(landing.absoluteString)
            }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.requiredUser = user
        return (world, { try await application.acquireToken(with: parameters) })
    }

    private func deviceCodeParameters(in world: World) -> MSALDeviceCodeParameters {
        let page = Locked<URL?>(nil)
        world.time.meanwhile { [world] _ in
            let address = page.withLock { page in
                defer { page = nil }
                return page
            }
            if let address { _ = try await world.user(.ann).finish(from: address) }
        }
        return MSALDeviceCodeParameters(scopes: ["User.Read"]) { code in
            page.withLock { $0 = code.verificationURLComplete }
        }
    }

    private func expectRejection(_ error: NSError, naming names: String...) {
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorMismatchedUser.rawValue)
        for name in names { #expect(error.localizedDescription.contains(name)) }
    }

    @Test("Rejects another user, names both and saves nothing", arguments: Method.allCases)
    func another(method: Method) async throws {
        let (world, call) = try await signIn(method, as: "zoe@fabrikam.example")
        expectRejection(try await SignedInWorld.failure(call), naming: Self.ann, "zoe@fabrikam.example")
        #expect(world.store.all.isEmpty)
    }

    @Test("Accepts the user in any letter case", arguments: Method.allCases)
    func same(method: Method) async throws {
        let (world, call) = try await signIn(method, as: "ANN@Contoso.example")
        #expect(try await call().account.username == Self.ann)
        #expect(!world.store.all.isEmpty)
    }

    @Test("Accepts an account identifier, and no part of one")
    func identifier() async throws {
        let account = try await signIn(.browser, as: Self.ann).call().account
        let identifier = try #require(account.identifier)
        #expect(try await signIn(.browser, as: identifier).call().account == account)
        for other in [String(identifier.dropLast()), ""] {
            expectRejection(try await SignedInWorld.failure(try await signIn(.browser, as: other).call))
        }
    }

    @Test("Is the username that the page fills in")
    func hint() async throws {
        let (world, call) = try await signIn(.browser, as: Self.ann)
        _ = try await call()
        let page = world.transport.requests.first { $0.url.path().hasSuffix("/authorize") }
        #expect(page?.url.absoluteString.contains("login_hint=ann") == true)
    }

    @Test("Tells two accounts with one username apart by their identifiers")
    func oneUsername() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.account = MSALAccount(
            username: Self.ann, homeAccountId: MSALAccountId("other.tenant"), environment: "127.0.0.1:8400",
            tenantProfiles: nil, claims: nil)
        let error = try await SignedInWorld.failure { try await application.acquireToken(with: parameters) }
        expectRejection(error, naming: "(other.tenant)", "(a1b2c3d4-0001-")
    }

    @Test("An account without a username is only the user with its identifier")
    func nameless() throws {
        let world = try World()
        let application = try world.application()
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        let profile = CachedAccount.Profile(
            localAccountID: "u", realm: "t", username: nil, isHome: true,
            authorityType: CachedAccount.Profile.entraType)
        let outcome = TokenOutcome(
            scopes: [], verdicts: { [] },
            account: CachedAccount(homeAccountID: "u.t", environment: "e", username: nil, profiles: [profile]),
            profile: profile, authority: application.settings.authority, isFromCache: false)
        for (user, isMeant) in [("u.t", true), (Self.ann, false), ("", false), ("u", false)] {
            parameters.requiredUser = user
            var request = try TokenRequestSnapshot(parameters, settings: application.settings, correlationID: UUID())
            request.requiredUser = user
            let context = application.context(parameters, UUID())
            if isMeant {
                try context.checkAccount(outcome, for: request)
            } else {
                #expect(throws: AuthenticationFailure.self) { try context.checkAccount(outcome, for: request) }
            }
        }
    }
}
