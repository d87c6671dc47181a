import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The secret that a provider hands out with its desktop applications, such as Google.
@Suite("Client secrets", .oneSessionAtATime) struct ClientSecretTests {
    private static let issuer = "\(Directory.contoso)/v2.0"
    private static let secret = "GOCSPX-of +a:desktop%"

    /// How a request presents a secret.
    private struct Presented: Equatable {
        var path: String
        var form: String?
        var header: String?
    }

    /// Notes the secret of each request, and passes the request on without it, because the built-in authority has public
    /// clients only.
    private final class Gatekeeper: HTTPTransport {
        private let inner: AuthorityTransport
        private let seen = Locked<[Presented]>([])
        private let answer: (@Sendable (HTTPRequest) -> HTTPResponse?)?

        init(_ inner: AuthorityTransport, answer: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil) {
            (self.inner, self.answer) = (inner, answer)
        }

        /// The requests with a form.
        var all: [Presented] { seen.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            guard request.method == .post, request.headers["Content-Type"]?.contains("form") == true else {
                return try await inner.send(request)
            }
            var form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
            let basic = request.basicCredentials
            seen.withLock {
                $0.append(
                    Presented(path: request.url.lastPathComponent, form: form["client_secret"], header: basic?.secret))
            }
            if let response = answer?(request) { return response }
            form["client_secret"] = nil
            if let basic { form["client_id"] = basic.clientID }
            var plain = HTTPRequest.form(form, to: request.url, headers: request.headers)
            plain.headers["Authorization"] = nil
            return try await inner.send(plain)
        }
    }

    private func parameters(_ log: EventLog? = nil) -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log?.handler
        return parameters
    }

    private func world(listing methods: [String]? = nil, pushing: PushedRequests = .notOffered) throws -> World {
        var settings = AuthoritySettings()
        settings.pushedRequests = pushing
        var world = try World(settings)
        world.seat(.ann)
        world.transport.changeJSON(of: "/.well-known/openid-configuration") {
            $0["token_endpoint_auth_methods_supported"] = methods.map { .array($0.map(JSONValue.string)) }
        }
        return world
    }

    private func application(
        _ world: World, by transport: any HTTPTransport, _ secret: MSALClientSecret?
    ) throws -> MSALPublicClientApplication {
        try world.application(authority: Self.issuer, isOpenID: true, transport: transport) {
            $0.clientSecret = secret
        }
    }

    private func counting(_ count: Locked<Int>) -> MSALClientSecret {
        .provider {
            count.withLock { $0 += 1 }
            return Self.secret
        }
    }

    @Test(
        "The metadata decides how the secret is presented, and code, refresh and revocation have it",
        arguments: [
            (nil, "form"), (["client_secret_post", "client_secret_basic"], "form"),
            (["client_secret_basic", "private_key_jwt"], "header"), (["none"], "form"),
        ] as [([String]?, String)])
    func presented(methods: [String]?, place: String) async throws {
        let world = try world(listing: methods)
        let gate = Gatekeeper(world.transport)
        let reads = Locked(0)
        let application = try application(world, by: gate, counting(reads))
        let log = EventLog()
        let account = try await application.acquireToken(with: parameters(log)).account
        #expect(reads.withLock { $0 } == 1)
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        _ = try await application.acquireTokenSilent(with: silent)
        #expect(reads.withLock { $0 } == 1, "A token from the cache needs no secret.")
        silent.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: silent)
        #expect(reads.withLock { $0 } == 2)
        let signout = MSALSignoutParameters()
        signout.revokesTokens = true
        _ = try await application.signout(with: account, signoutParameters: signout)
        #expect(gate.all.map(\.path) == ["token", "token", "revoke"])
        for request in gate.all {
            #expect(request.form == (place == "form" ? Self.secret : nil))
            #expect(request.header == (place == "header" ? Self.secret : nil))
        }
        #expect(!log.all.contains { "\($0)".contains("GOCSPX") })
    }

    @Test("A pushed request has the secret in the same place (RFC 9126 §2)", arguments: ["post", "basic"])
    func pushed(method: String) async throws {
        let world = try world(listing: ["client_secret_\(method)"], pushing: .required)
        let gate = Gatekeeper(world.transport)
        let log = EventLog()
        _ = try await application(world, by: gate, .provider { Self.secret }).acquireToken(with: parameters(log))
        #expect(gate.all.map(\.path) == ["par", "token"])
        for request in gate.all {
            #expect(request.form == (method == "post" ? Self.secret : nil))
            #expect(request.header == (method == "basic" ? Self.secret : nil))
        }
        #expect(!log.all.contains { "\($0)".contains("GOCSPX") })
    }

    @Test("A device code is requested and polled with the secret")
    func device() async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport)
        let application = try application(world, by: gate, .provider { Self.secret })
        let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in
            MSALPublicClientApplication.cancelCurrentWebAuthSession()
        }
        let task = Task { try await application.acquireToken(with: parameters) }
        _ = await task.result
        #expect(!gate.all.isEmpty && gate.all.allSatisfy { $0.form == Self.secret })
    }

    @Test("An authority that takes no secret is named before a browser opens")
    func otherMethods() async throws {
        let world = try world(listing: ["private_key_jwt", "tls_client_auth"])
        let log = EventLog()
        let application = try application(world, by: Gatekeeper(world.transport), .provider { Self.secret })
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(log))
        }
        #expect(error?.failureKind == .misconfigured)
        #expect(error?.localizedDescription.contains("private_key_jwt, tls_client_auth") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("client_secret_basic") == true)
        #expect(!log.steps.contains(.openBrowser))
    }

    @Test(
        "A secret that can't be read, or can't be one, ends a sign-in before a browser opens, and is never shown",
        arguments: [
            (.provider { "" }, "is empty"), (.provider { "GOCSPX\nline" }, "has a line break"),
            (.provider { String(repeating: "GOCSPX", count: 1000) }, "too long"),
            (.provider { "GOCSPX-ü" }, "character"),
            (.stored, "No client secret is stored"), (.file(URL(filePath: "/nonexistent/secret")), "is missing"),
            (
                .provider {
                    throw NSError(domain: "a", code: 1, userInfo: [NSLocalizedDescriptionKey: "The vault is closed."])
                }, "The vault is closed."
            ),
        ] as [(MSALClientSecret, String)])
    func unusable(secret: MSALClientSecret, reason: String) async throws {
        let world = try world()
        let (log, gate) = (EventLog(), Gatekeeper(world.transport))
        let application = try application(world, by: gate, secret)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters(log))
        }
        #expect(error?.failureKind == .misconfigured)
        #expect(error?.localizedDescription.contains(reason) == true, "\(error?.localizedDescription ?? "")")
        #expect(error?.localizedRecoverySuggestion?.isEmpty == false)
        #expect("\(error.map { "\($0.userInfo)" } ?? "")".contains("GOCSPX") == false)
        #expect(!log.steps.contains(.openBrowser) && gate.all.isEmpty)
    }

    @Test(
        "Providers' own names of invalid_client lead to the same advice",
        arguments: ["bad_client_secret", "invalid_client_secret", "incorrect_client_credentials", "invalid_client"])
    func otherNames(error: String) async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport) { request in
            request.url.path().hasSuffix("/token")
                ? HTTPResponse(status: 200, body: Array(#"{"ok":false,"error":"\#(error)"}"#.utf8)) : nil
        }
        let application = try application(world, by: gate, .provider { Self.secret })
        let failure = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        #expect(failure?.failureKind == .misconfigured, "\(failure?.localizedDescription ?? "")")
        #expect(failure?.localizedRecoverySuggestion?.contains("--enter-client-secret") == true)
    }

    @Test("Slack's names of a busy server are no verdict", arguments: ["ratelimited", "internal_error"])
    func busy(error: String) async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport) { request in
            request.url.path().hasSuffix("/token")
                ? HTTPResponse(status: 200, body: Array(#"{"ok":false,"error":"\#(error)"}"#.utf8)) : nil
        }
        let application = try application(world, by: gate, .provider { Self.secret })
        let failure = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        #expect(failure?.failureKind == .unavailable, "\(failure?.localizedDescription ?? "")")
    }

    @Test("A page that repeats the secret with HTML's entities doesn't show it")
    func inAPage() async throws {
        let world = try world()
        let page = #"{"error":"invalid_client","error_description":"Unknown: of &lt;&amp;&#39;desktop"}"#
        let gate = Gatekeeper(world.transport) { request in
            request.url.path().hasSuffix("/token") ? HTTPResponse(status: 400, body: Array(page.utf8)) : nil
        }
        let application = try application(world, by: gate, .provider { "of <&'desktop" })
        let failure = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        let shown = "\(failure.map { "\($0.userInfo)" } ?? "")"
        #expect(shown.contains("Unknown") && !shown.contains("desktop"), "\(shown)")
    }

    @Test("A secret that can't be used is named with its client")
    func named() async throws {
        let world = try world()
        let application = try application(world, by: world.transport, .stored)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        let client = "\(application.configuration.clientId) at \(world.transport.origin.host() ?? "")"
        #expect(error?.localizedDescription.contains("It is for \(client)") == true)
    }

    @Test("Another authority than the configuration's gets no secret, also at the same host")
    func otherAuthority() async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport)
        let reads = Locked(0)
        let application = try application(world, by: gate, counting(reads))
        let parameters = parameters()
        parameters.authority = try MSALOIDCAuthority(
            url: world.transport.origin.appending(path: "\(Directory.fabrikam)/v2.0"))
        _ = try? await application.acquireToken(with: parameters)
        #expect(reads.withLock { $0 } == 0)
        #expect(gate.all.allSatisfy { $0.form == nil && $0.header == nil })
    }

    @Test("A stored secret is used until it is removed, and belongs to one client at one authority")
    func stored() async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport)
        let application = try application(world, by: gate, .stored)
        try application.saveClientSecret(Self.secret)
        #expect(try application.hasStoredClientSecret)
        _ = try await application.acquireToken(with: parameters())
        #expect(gate.all == [Presented(path: "token", form: Self.secret)])
        let other = try world.application(authority: "\(Directory.fabrikam)/v2.0", isOpenID: true)
        #expect(try !other.hasStoredClientSecret)
        try application.saveClientSecret(nil)
        #expect(try !application.hasStoredClientSecret)
        #expect(throws: MSALAuthenticationError.self) { try application.saveClientSecret("a\nb") }
    }

    @Test("A unified cache stores no secret, because it isn't encrypted")
    func unified() throws {
        let world = try world()
        let application = try world.application(authority: Self.issuer, isOpenID: true) {
            $0.cacheConfig.kind = .unified(URL(filePath: "/nonexistent/cache.json"))
        }
        #expect(throws: MSALAuthenticationError.self) { try application.saveClientSecret(Self.secret) }
    }

    @Test("The advice for a rejected client depends on whether it sent a secret", arguments: [true, false])
    func rejected(hasSecret: Bool) async throws {
        let world = try world()
        let gate = Gatekeeper(world.transport) { _ in
            HTTPResponse(
                status: 401,
                body: Array(#"{"error":"invalid_client","error_description":"Wrong GOCSPX-of +a:desktop%"}"#.utf8))
        }
        let application = try application(world, by: gate, hasSecret ? .provider { Self.secret } : nil)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            try await application.acquireToken(with: parameters())
        }
        let advice = error?.localizedRecoverySuggestion ?? ""
        #expect(advice.contains(hasSecret ? "remove clientSecret" : "set clientSecret"), "\(advice)")
        #expect(!hasSecret || error?.localizedDescription.contains("GOCSPX") == false)
    }
}
