import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

@testable import MSAL

/// What an exchange shows of a message: every kind of secret, in every place.
@Suite("Redaction of exchanges") struct FlowTranscriptTests {
    private static let marker = "S3cr3t-Marker_Value"
    private static let jwt = JWT.compact(
        header: ["alg": "RS256"], payload: ["sub": "S3cr3t-Marker_Value"], sign: { _ in [1, 2, 3] })

    private static let secretNames = WireParameter.all.filter { $0.secrecy == .secret }.map(\.name).sorted()

    struct Planted: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: HTTPRequest
        var result: Result<HTTPResponse, TransportFailure>
        /// Secrets that no shown text may contain.
        var secrets: [String]
    }

    private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    private static func planted() throws -> [Planted] {
        let token = try url("https://login.contoso.example/token")
        let form = { (parameters: Parameters) in HTTPRequest.form(parameters, to: token) }
        let nothing = Result<HTTPResponse, TransportFailure>.success(HTTPResponse(status: 204))
        var rows = secretNames.map { name in
            Planted(
                testDescription: "form: \(name)", request: form(Parameters(dictionaryLiteral: (name, marker))),
                result: nothing, secrets: [marker])
        }
        rows += secretNames.map { name in
            Planted(
                testDescription: "query: \(name)",
                request: HTTPRequest(.get, token.addingQuery(Parameters(dictionaryLiteral: (name, marker)))),
                result: nothing, secrets: [marker])
        }
        rows += secretNames.flatMap { name in
            [
                (name, #"{"\#(name)":"\#(marker)"}"#), ("in \(name)", #"{"\#(name)":{"a":["\#(marker)"]}}"#),
                ("\(name), nested", #"{"error_codes":[{"\#(name)":"\#(marker)"}],"error_description":"\#(marker)"}"#),
            ].map {
                Planted(
                    testDescription: "JSON: \($0.0)", request: form(["grant_type": "refresh_token"]),
                    result: .success(json($0.1)), secrets: [marker])
            }
        }
        rows += ["Authorization", "Cookie", "DPoP", "X-Not-Known"].map { name in
            Planted(
                testDescription: "request header: \(name)",
                request: HTTPRequest(.get, token, headers: HTTPHeaders(dictionaryLiteral: (name, "Bearer \(marker)"))),
                result: nothing, secrets: [marker])
        }
        rows += ["Set-Cookie", "Location", "X-Not-Known"].map { name in
            Planted(
                testDescription: "response header: \(name)", request: HTTPRequest(.get, token),
                result: .success(
                    HTTPResponse(
                        status: 302,
                        headers: HTTPHeaders(dictionaryLiteral: (name, "https://a.example/?code=\(marker)")))),
                secrets: [marker])
        }
        return rows + [
            Planted(
                testDescription: "an unknown parameter", request: form(["shared_key": marker]),
                result: nothing, secrets: [marker]),
            Planted(
                testDescription: "an unknown member", request: form([:]),
                result: .success(json(#"{"shared_key":"\#(marker)"}"#)), secrets: [marker]),
            Planted(
                testDescription: "a secret that comes back in the error's text", request: form(["code": marker]),
                result: .success(json(#"{"error_description":"The code \#(marker) is spent"}"#, status: 400)),
                secrets: [marker]),
            Planted(
                testDescription: "a token that comes back without its scheme",
                request: HTTPRequest(.get, token, headers: ["Authorization": "Bearer \(marker)"]),
                result: .success(json(#"{"error_description":"The token \#(marker) is old"}"#, status: 401)),
                secrets: [marker]),
            Planted(
                testDescription: "a secret in the text, percent-encoded", request: form(["code": "a b/\(marker)"]),
                result: .success(json(#"{"error_uri":"https://a.example/?c=a%20b%2F\#(marker)"}"#)), secrets: [marker]),
            Planted(
                testDescription: "a secret in a header's text", request: form(["code": marker]),
                result: .success(json("{}", headers: ["WWW-Authenticate": "Bearer error=\"\(marker)\""])),
                secrets: [marker]),
            Planted(
                testDescription: "a secret that the network's error repeats", request: form(["code": marker]),
                result: .failure(TransportFailure(.other, reason: "could not send code=\(marker)")), secrets: [marker]),
            Planted(
                testDescription: "a token in the path",
                request: HTTPRequest(.get, try url("https://a.example/\(jwt)/keys")), result: nothing, secrets: [jwt]),
            Planted(
                testDescription: "a secret in the path",
                request: HTTPRequest(.get, try url("https://a.example/\(marker)/x?code=\(marker)")), result: nothing,
                secrets: [marker]),
            Planted(
                testDescription: "a password in the address",
                request: HTTPRequest(.get, try url("https://ann:\(marker)@a.example/")), result: nothing,
                secrets: [marker]),
            Planted(
                testDescription: "a fragment", request: HTTPRequest(.get, try url("http://localhost/#code=\(marker)")),
                result: nothing, secrets: [marker]),
            Planted(
                testDescription: "a token within a text",
                request: form(["claims": #"{"hint":"see \#(jwt)"}"#]), result: nothing, secrets: [jwt]),
            Planted(
                testDescription: "a token in a public document", request: HTTPRequest(.get, token),
                result: .success(json(#"{"a":[{"b":"\#(jwt)"}],"c":{"access_token":"\#(marker)"}}"#)),
                secrets: [jwt, marker]),
            Planted(
                testDescription: "a member's name that is a token", request: HTTPRequest(.get, token),
                result: .success(json(#"{"\#(jwt)":1,"a":{"\#(jwt)":1}}"#)), secrets: [jwt]),
            Planted(
                testDescription: "a page", request: form(["code": "x"]),
                result: .success(json("<html>\(marker)")), secrets: [marker]),
            Planted(
                testDescription: "a body of no known kind",
                request: HTTPRequest(.post, token, headers: ["Content-Type": "text/plain"], body: Array(marker.utf8)),
                result: nothing, secrets: [marker]),
            Planted(
                testDescription: "a media type", request: form(["code": marker]),
                result: .success(json("{}", headers: ["Content-Type": marker])), secrets: [marker.lowercased(), marker]),
        ]
    }

    @Test("No output of an exchange contains a secret") func nothingHoldsASecret() throws {
        let time = try #require(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"))
        for planted in try Self.planted() {
            var redactor = FlowTranscript(correlationID: UUID())
            let exchange = redactor.exchange(
                .init(request: planted.request, result: planted.result, startDate: time))
            var dumped = ""
            dump(exchange, to: &dumped)
            let told = [
                dumped, "\(exchange)", String(reflecting: exchange), "\(exchange.parameters.map(\.shareableValue))",
            ].joined(separator: "\n")
            for secret in planted.secrets {
                #expect(!told.contains(secret), "\(planted.testDescription)")
            }
        }
    }

    private func exchange(_ request: HTTPRequest, _ response: HTTPResponse) -> MSALFlowExchange {
        var redactor = FlowTranscript(correlationID: UUID())
        return redactor.exchange(
            .init(request: request, result: .success(response), startDate: .distantPast, duration: 1.5))
    }

    @Test func harmlessTextStaysReadable() throws {
        let request = HTTPRequest.form(
            ["client_id": "11111111", "grant_type": "refresh_token", "refresh_token": "0.AAAA", "scope": "User.Read"],
            to: try Self.url("https://login.contoso.example/t/oauth2/v2.0/token?slice=testslice"),
            headers: ["client-request-id": "C", "x-client-SKU": "MSAL.Linux"])
        let response = HTTPResponse(
            status: 400, headers: ["Content-Type": "application/json; charset=utf-8", "x-ms-request-id": "R"],
            body: Array(
                #"{"error":"invalid_grant","error_codes":[70000],"error_subcode":"cancel","error_description":"AADSTS70000: no","expires_in":9}"#
                    .utf8))
        let exchange = exchange(request, response)
        #expect(exchange.address == "https://login.contoso.example/t/oauth2/v2.0/token")
        #expect(exchange.status == 400 && exchange.mediaType == "application/json" && exchange.method == "POST")
        #expect(exchange.duration == 1.5 && exchange.responseSize == response.body.count)
        let shown = exchange.parameters.map { "\($0.place.rawValue) \($0.name)=\($0.value)" }
        #expect(
            shown == [
                "query slice=testslice", "requestHeader client-request-id=C", "requestHeader x-client-SKU=MSAL.Linux",
                "requestHeader Content-Type=application/x-www-form-urlencoded", "requestBody client_id=11111111",
                "requestBody grant_type=refresh_token", "requestBody refresh_token=‹redacted› 6 characters",
                "requestBody scope=User.Read", "responseHeader Content-Type=application/json; charset=utf-8",
                "responseHeader x-ms-request-id=R", "responseBody error=invalid_grant",
                "responseBody error_codes=[70000]", "responseBody error_description=AADSTS70000: no",
                "responseBody error_subcode=cancel",
                "responseBody expires_in=9",
            ])
    }

    @Test func oneValueCanBeRevealed() throws {
        let exchange = exchange(
            HTTPRequest.form(["refresh_token": "0.AAAA", "scope": "a"], to: try Self.url("https://a.example/token")),
            Self.json(#"{"access_token":"\#(Self.jwt)","error_codes":[{"code":"hidden-value"}]}"#))
        let byName = Dictionary(exchange.parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(byName["refresh_token"]?.isRedacted == true && byName["refresh_token"]?.reveal() == "0.AAAA")
        #expect(byName["access_token"]?.reveal() == Self.jwt)
        #expect(byName["error_codes"]?.value == #"[{"code":"‹redacted›"}]"#)
        #expect(byName["error_codes"]?.reveal() == #"[{"code":"hidden-value"}]"#)
        #expect(byName["scope"]?.isRedacted == false && byName["scope"]?.reveal() == "a")
    }

    @Test func reportsContainNoIdentity() throws {
        let exchange = exchange(
            HTTPRequest(
                .get, try Self.url("https://a.example/authorize?login_hint=ann@contoso.example&prompt=login"),
                headers: ["Authorization": "Bearer x", "X-AnchorMailbox": "UPN:ann@contoso.example"]),
            Self.json(
                #"{"name":"Ann","error_description":"User 'ann@contoso.example' not found","#
                    + #""error_codes":[{"email":"Ann"}]}"#))
        let parameters = exchange.parameters
        #expect(parameters.first { $0.name == "login_hint" }?.value == "ann@contoso.example")
        #expect(parameters.first { $0.name == "name" }?.value == "Ann")
        #expect(parameters.first { $0.name == "prompt" }?.shareableValue == "login")
        let report = parameters.map(\.shareableValue).joined(separator: "\n")
        #expect(!report.contains("Ann") && !report.contains("ann@"))
        #expect(report.contains("User '‹personal›' not found"))
    }

    @Test func equalSecretsGetEqualMasks() throws {
        let verifier = CodeVerifier(randomBytes: Array(repeating: 7, count: 32))
        var redactor = FlowTranscript(correlationID: UUID())
        let messages = [
            HTTPRequest(
                .get, try Self.url("https://a.example/authorize?state=abcdef&code_challenge=\(verifier.challenge)")),
            HTTPRequest(.get, try Self.url("http://localhost/?state=abcdef&code=0.code")),
            HTTPRequest.form(
                ["code": "0.code", "code_verifier": verifier.secret.reveal(), "state": "other-state"],
                to: try Self.url("https://a.example/token")),
        ]
        let notes = messages.flatMap {
            redactor.exchange(.init(request: $0, result: nil, startDate: .distantPast)).parameters
        }.filter { $0.kind == .secret }.map { "\($0.name): \($0.note ?? "-")" }
        #expect(
            notes == [
                "state: -", "state: the same as state above", "code: -", "code: the same as code above",
                "code_verifier: its SHA-256 is the code_challenge above", "state: -",
            ])
    }
}
