import Foundation
import KeyturnCrypto
import KeyturnSystem
import OAuthCore
import Testing

@testable import DemoAuthority

/// An authority in memory with manual time and repeatable random bytes.
final class Bench: Sendable {
    static let contoso = "0c047050-7a3e-4c1b-9d52-6f1e8a2b4c01"
    static let fabrikam = "fab71ca3-51d8-4f0e-8b6a-2c9d7e3f5a02"
    static let redirectURI = "http://localhost:50123"
    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// One key pair for the whole run: creating keys is slow.
    private static let keys = Result { try DemoKeys.generate() }

    let origin: URL
    private let authority: Locked<DemoAuthority>
    private let clock: Locked<Date>

    init(directory: Directory = .standard, settings: AuthoritySettings = AuthoritySettings()) throws {
        origin = try #require(URL(string: "http://127.0.0.1:8400"))
        clock = Locked(Date(timeIntervalSince1970: 1_767_225_600))
        authority = Locked(
            DemoAuthority(
                origin: origin, keys: try Self.keys.get(), directory: directory,
                settings: settings,
                randomBytes: Self.repeatableBytes()))
    }

    /// SHA-256 of a counter: unique within a bench, and always the same sequence.
    private static func repeatableBytes() -> @Sendable (Int) -> [UInt8] {
        let counter = Counter()
        return { count in
            let block = SHA2.sha512(Array("\(counter.next())".utf8))
            return Array(block.prefix(count))
        }
    }

    private final class Counter: Sendable {
        private let value = Locked(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    var now: Date { clock.withLock { $0 } }

    func advance(by seconds: TimeInterval) { clock.withLock { $0 += seconds } }

    func send(_ request: HTTPRequest) -> HTTPResponse {
        let now = now
        return authority.withLock { $0.respond(to: request, at: now) }
    }

    func url(_ path: String, _ query: Parameters = [:]) throws -> URL {
        try #require(URL(string: "\(origin)\(path)\(query.isEmpty ? "" : "?\(query.formEncoded)")"))
    }

    func get(_ path: String, _ query: Parameters = [:], headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        send(HTTPRequest(.get, try url(path, query), headers: headers))
    }

    func post(_ path: String, _ form: Parameters, headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        send(.form(form, to: try url(path), headers: headers))
    }
}

// MARK: Valid requests, which tests modify

extension Bench {
    static let authorizeParameters: Parameters = [
        "client_id": Directory.demoClientID, "redirect_uri": redirectURI, "response_type": "code",
        "scope": "openid profile offline_access User.Read", "state": "the-state", "nonce": "the-nonce",
        "code_challenge": challenge, "code_challenge_method": "S256", "client_info": "1",
    ]

    func authorizeURL(tenant: String = "common", _ changes: [String: String?] = [:]) throws -> URL {
        try url("/\(tenant)/oauth2/v2.0/authorize", Self.authorizeParameters.changed(by: changes))
    }

    func user(
        _ username: String = "ann@contoso.example", password: String? = nil,
        consent: ScriptedUser.Consent = .accept, cookies: CookieJar = CookieJar()
    ) -> ScriptedUser {
        let password = password ?? Directory.standard.user(named: username)?.password ?? ""
        return ScriptedUser(username: username, password: password, consent: consent, cookies: cookies) { [self] in
            send($0)
        }
    }

    /// Signs in and returns the parameters at the redirect URI.
    func answer(
        of user: ScriptedUser, tenant: String = "common", _ changes: [String: String?] = [:]
    ) async throws -> Parameters {
        let address = try await user.walk(from: try authorizeURL(tenant: tenant, changes))
        return AuthorizationResponse.parameters(of: address)
    }

    func redeem(_ code: String, tenant: String = "common", _ changes: [String: String?] = [:]) throws -> HTTPResponse {
        let form: Parameters = [
            "grant_type": "authorization_code", "client_id": Directory.demoClientID, "code": code,
            "redirect_uri": Self.redirectURI, "code_verifier": Self.verifier, "client_info": "1",
        ]
        return try post("/\(tenant)/oauth2/v2.0/token", form.changed(by: changes))
    }

    func refresh(_ token: String, tenant: String = "common", _ changes: [String: String?] = [:]) throws -> HTTPResponse
    {
        let form: Parameters = [
            "grant_type": "refresh_token", "client_id": Directory.demoClientID, "refresh_token": token,
        ]
        return try post("/\(tenant)/oauth2/v2.0/token", form.changed(by: changes))
    }

    func revoke(_ token: String, _ changes: [String: String?] = [:]) throws -> HTTPResponse {
        let form: Parameters = [
            "client_id": Directory.demoClientID, "token": token, "token_type_hint": "refresh_token",
        ]
        return try post("/common/oauth2/v2.0/revoke", form.changed(by: changes))
    }

    /// A whole sign-in, as the members of the token response.
    func signIn(
        as username: String = "ann@contoso.example", tenant: String = "common", _ changes: [String: String?] = [:]
    ) async throws -> JSONValue {
        let answer = try await answer(of: user(username), tenant: tenant, changes)
        let response = try redeem(try #require(answer["code"]), tenant: tenant)
        try #require(response.status == 200, "\(response.text)")
        return try response.json
    }
}

extension Parameters {
    /// Replaces values, or removes them where the new value is `nil`.
    func changed(by changes: [String: String?]) -> Parameters {
        var copy = self
        for (name, value) in changes { copy[name] = value }
        return copy
    }
}

extension HTTPResponse {
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }

    var location: Parameters {
        headers["Location"].flatMap(URL.init(string:)).map(AuthorizationResponse.parameters) ?? [:]
    }
}

extension JSONValue {
    func text(_ member: String) throws -> String { try #require(self[member]?.string, "no \(member)") }
}
