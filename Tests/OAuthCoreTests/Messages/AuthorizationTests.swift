import Foundation
import Testing

@testable import OAuthCore

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

@Suite("The authorization request")
struct AuthorizationRequestTests {
    static func request(at endpoint: String = "https://id.example/authorize") throws -> AuthorizationRequest {
        AuthorizationRequest(
            endpoint: try url(endpoint), clientID: "client", redirectURI: "http://localhost:8400",
            scopes: ["User.Read", "openid"], state: "s", nonce: "n", codeChallenge: "c")
    }

    @Test("Requests a code, protected by state, nonce and challenge")
    func plain() throws {
        var request = try Self.request()
        request.requestsClientInfo = false
        #expect(
            request.url.absoluteString
                == "https://id.example/authorize?client_id=client&response_type=code"
                + "&redirect_uri=http%3A%2F%2Flocalhost%3A8400&scope=User.Read%20openid&code_challenge=c"
                + "&code_challenge_method=S256&state=s&nonce=n")
    }

    @Test("Has every parameter that Entra supports")
    func full() throws {
        var request = try Self.request()
        request.prompt = .selectAccount
        request.loginHint = ""
        request.domainHint = "contoso.com"
        request.account = ClientInfo(uid: "u", utid: "t")
        request.claims = "{}"
        request.maximumAge = 0
        request.correlationID = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        request.isInstanceAware = true
        request.prefersQRPIN = true
        request.slice = ["slice": "testslice", "dc": "ESTS-1"]
        request.clientMetadata = ["x-client-SKU": "MSAL.Linux"]
        request.applicationMetadata = ["x-app-name": "app"]
        request.extraParameters = ["foo": "bar"]
        let expected: [String: String] = [
            "client_id": "client", "response_type": "code", "redirect_uri": "http://localhost:8400",
            "scope": "User.Read openid", "login_hint": "", "domain_hint": "contoso.com", "login_req": "u",
            "domain_req": "t", "code_challenge": "c", "code_challenge_method": "S256", "state": "s", "nonce": "n",
            "claims": "{}", "prompt": "select_account", "max_age": "0", "client_info": "1", "haschrome": "1",
            "client-request-id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "return-client-request-id": "true",
            "instance_aware": "true", "pc": "18", "slice": "testslice", "dc": "ESTS-1", "x-client-SKU": "MSAL.Linux",
            "x-app-name": "app", "foo": "bar",
        ]
        let sent = AuthorizationResponse.parameters(of: request.url)
        #expect(sent.firstRepeatedName == nil)
        #expect(Dictionary(uniqueKeysWithValues: sent.pairs.map { ($0.name, $0.value) }) == expected)
    }

    @Test(
        "The caller's parameters replace the client's and the scopes",
        arguments: [
            "scope", "client_id", "response_type", "redirect_uri", "login_hint", "x-app-name",
        ])
    func replaceable(name: String) throws {
        var request = try Self.request()
        request.loginHint = "me"
        request.applicationMetadata = ["x-app-name": "app"]
        request.extraParameters = Parameters(formEncoded: "\(name)=theirs")
        #expect(request.parameters[name] == "theirs")
        #expect(request.parameters.count(of: name) == 1)
    }

    @Test(
        "The caller's parameters cannot replace the ones that protect the exchange",
        arguments: [
            "code_challenge", "code_challenge_method", "state", "nonce", "claims", "prompt", "client-request-id",
            "x-client-SKU", "client_info",
        ])
    func protected(name: String) throws {
        var request = try Self.request()
        request.claims = "{}"
        request.prompt = .login
        request.correlationID = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        request.clientMetadata = ["x-client-SKU": "ours"]
        request.extraParameters = Parameters(formEncoded: "\(name)=theirs")
        #expect(request.parameters[name] != "theirs")
        #expect(request.parameters.count(of: name) == 1)
    }

    @Test("The endpoint's query stays first, and replaces nothing of the request")
    func endpointQuery() throws {
        let text = try Self.request(at: "https://id.example/authorize?p=b2c_1&nonce=x").url.absoluteString
        #expect(text.hasPrefix("https://id.example/authorize?p=b2c_1&client_id=client&"))
        #expect(!text.contains("nonce=x"))
        #expect(AuthorizationResponse.parameters(of: try url(text)).count(of: "nonce") == 1)
    }
}

@Suite("The authorization response")
struct AuthorizationResponseTests {
    typealias Failure = AuthorizationResponse.Failure

    static let expectation = AuthorizationResponse.Expectation(state: "s", issuer: IssuerTemplate("https://id.example"))
    static let promised = AuthorizationResponse.Expectation(
        state: "s", issuer: IssuerTemplate("https://id.example"), requiresIssuer: true)

    struct Row: Sendable, CustomTestStringConvertible {
        var callback: String
        var expectation = AuthorizationResponseTests.expectation
        var response: AuthorizationResponse
        var testDescription: String { callback }
    }

    static let tenantsExpectation = AuthorizationResponse.Expectation(
        state: "s", issuer: IssuerTemplate("https://login.example/{tenantid}/v2.0"), requiresIssuer: true)

    static let responded = answer()

    static func answer(by issuer: String? = nil) -> AuthorizationResponse {
        .code(.init(value: Secret("authcode"), issuer: issuer))
    }

    static let rows: [Row] = [
        Row(callback: "redirecturi://somepayload?code=authcode&state=s", response: responded),
        Row(callback: "redirecturi://somepayload#code=authcode&state=s", response: responded),
        Row(callback: "redirecturi://somepayload?state=s#code=authcode", response: responded),
        Row(callback: "urn:ietf:wg:oauth:2.0:oob?code=authcode&state=s", response: responded),
        Row(
            callback: "http://localhost:81/?code=authcode&state=s&iss=https%3A%2F%2Fid.example",
            response: answer(by: "https://id.example")),
        Row(
            callback: "http://localhost/?code=authcode&state=s&iss=https://id.example", expectation: promised,
            response: answer(by: "https://id.example")),
        Row(
            callback: "a://b?code=authcode&state=s&client_info=e30&cloud_instance_host_name=login.microsoftonline.de",
            response: .code(.init(value: Secret("authcode"), cloudHost: "login.microsoftonline.de"))),
        Row(
            callback: "a://b?code=authcode&state=s&client_info=\(ClientInfo(uid: "u", utid: "t").raw)",
            response: responded),
        Row(
            callback: "https://host/msal?error=access_denied&error_description=no+thanks&state=s&error_subcode=cancel",
            response: .rejected(OAuthErrorResponse("access_denied", description: "no thanks", subcode: "cancel"))),
        Row(
            callback: "a://b?error=invalid_grant&suberror=bad_token&code=authcode&state=s",
            response: .rejected(OAuthErrorResponse("invalid_grant", suberror: "bad_token"))),
        Row(
            callback: "a://b?error=&code=authcode&state=s",
            response: responded),
        Row(
            callback: "a://b?code=authcode&state=s&iss=https://login.example/t1/v2.0",
            expectation: tenantsExpectation, response: answer(by: "https://login.example/t1/v2.0")),
    ]

    @Test("Returns the parameters of the response", arguments: rows)
    func reads(row: Row) throws {
        #expect(try AuthorizationResponse(callback: url(row.callback), expecting: row.expectation) == row.response)
    }

    struct FailureRow: Sendable, CustomTestStringConvertible {
        var callback: String
        var expectation = AuthorizationResponseTests.expectation
        var failure: Failure
        var testDescription: String { callback }
    }

    static let failures: [FailureRow] =
        [
            FailureRow(callback: "https://host", failure: .stateMissing),
            FailureRow(callback: "https://host/path", failure: .stateMissing),
            FailureRow(callback: "https://host?", failure: .stateMissing),
            FailureRow(callback: "redirecturi://contoso.com?code=x", failure: .stateMissing),
            FailureRow(callback: "a://b?code=x&state=", failure: .stateMissing),
            FailureRow(callback: "a://b?code=x&state=S", failure: .stateMismatch),
            FailureRow(callback: "a://b?error=access_denied&state=other", failure: .stateMismatch),
            FailureRow(callback: "a://b?state=s", failure: .codeMissing),
            FailureRow(callback: "a://b?code=&state=s", failure: .codeMissing),
            FailureRow(callback: "a://b?code=x&code=y&state=s", failure: .repeatedParameter("code")),
            FailureRow(callback: "a://b?code=x&state=s#state=s", failure: .repeatedParameter("state")),
            FailureRow(
                callback: "a://b?code=x&state=s&iss=https://id.example&iss=x", failure: .repeatedParameter("iss")),
            FailureRow(callback: "a://b?code=x&state=s", expectation: promised, failure: .issuerMissing),
            FailureRow(callback: "a://b?error=x&state=s", expectation: promised, failure: .issuerMissing),
            FailureRow(
                callback: "a://b?code=x&state=s&iss=https://evil.example",
                failure: .issuerMismatch(expected: "https://id.example", found: "https://evil.example")),
            FailureRow(
                callback: "a://b?code=x&state=s&iss=https://id.example/",
                failure: .issuerMismatch(expected: "https://id.example", found: "https://id.example/")),
            FailureRow(
                callback: "a://b?code=0.AXoA-code&state=s&iss=https://id.examplecode=0.AXoA-code",
                expectation: promised,
                failure: .issuerMismatch(expected: "https://id.example", found: "…")),
            FailureRow(
                callback: "a://b?code=0.AXoA-code&state=s&iss=https://id.examplecode=0.AX%00oA-code",
                expectation: promised, failure: .issuerMismatch(expected: "https://id.example", found: "…")),
            FailureRow(
                callback: "a://b?code=x&client_info=secret-of-it&state=s&iss=https://id.example/secret-of-it",
                expectation: promised, failure: .issuerMismatch(expected: "https://id.example", found: "…")),
            FailureRow(callback: "a://b?code=x&state=s", expectation: tenantsExpectation, failure: .issuerMissing),
        ]
        + ["https://evil.example/t1/v2.0", "https://login.example/t1/t2/v2.0", "https://login.example//v2.0"].map {
            FailureRow(
                callback: "a://b?code=x&state=s&iss=\($0)", expectation: tenantsExpectation,
                failure: .issuerMismatch(expected: "https://login.example/{tenantid}/v2.0", found: $0))
        }
        + ["", "login.example", "https://login.example/%01", "https://login.example/\u{202E}"].map {
            FailureRow(
                callback: "a://b?code=x&state=s&iss=\($0)", expectation: tenantsExpectation,
                failure: .issuerMismatch(expected: "https://login.example/{tenantid}/v2.0", found: "…"))
        }

    @Test("Rejects responses that do not match the request", arguments: failures)
    func rejects(row: FailureRow) throws {
        let callback = try url(row.callback)
        #expect(throws: row.failure) { try AuthorizationResponse(callback: callback, expecting: row.expectation) }
    }

    @Test("Rejects an oversized URL")
    func endless() throws {
        let callback = try url(
            "a://b?code=x&state=s&x=" + String(repeating: "x", count: AuthorizationResponse.maximumLength))
        #expect(throws: Failure.tooLong(limit: AuthorizationResponse.maximumLength)) {
            try AuthorizationResponse(callback: callback, expecting: Self.expectation)
        }
    }

    @Test(
        "A waiting sign-in recognises its own response",
        arguments: [
            ("a://b?state=s", true), ("a://b#state=s", true), ("a://b?state=t", false), ("a://b", false),
            ("a://b?state=s&state=s", false), ("a://b?state=", false),
        ])
    func carries(callback: String, isOwn: Bool) throws {
        #expect(AuthorizationResponse.carries(state: "s", try url(callback)) == isOwn)
    }

    @Test("Does not print the code")
    func redacted() throws {
        let response = try AuthorizationResponse(
            callback: url("a://b?code=authcode&state=s"), expecting: Self.expectation)
        #expect(!"\(response)".contains("authcode"))
    }
}
