import Foundation
import MSAL
import OAuthCore
import Testing

@testable import Diagnosis

@Suite("A recorded sign-in to walk oneself")
struct RecordedSignInTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Explanation")

    private static func evidence(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "Evidence/\(name)")))
    }

    private static func redacted(_ content: [UInt8]) throws -> [UInt8] {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        let explainer = try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000))
        return Array(try #require(try explainer.examine(file: content, copies: true).copy).text.utf8)
    }

    /// The own sign-in that follows from a recorded one: a flow of this program with its parameters, own values for the others,
    /// and these responses.
    private static func own(
        like recorded: RecordedSignIn, changing changed: [String: String] = [:], error: String? = nil
    ) -> [MSALFlowExchange] {
        var sent = recorded.parameters.map { ($0.name, changed[$0.name] ?? $0.value) }
        sent +=
            recorded.own.map { ($0, "own") } + [
                ("state", "S"), ("nonce", "N"), ("code_challenge", "C"), ("code_challenge_method", "S256"),
            ]
        func exchange(
            _ number: Int, _ direction: MSALFlowExchange.Direction, _ address: String, _ status: Int?,
            _ place: MSALFlowParameter.Place, _ parameters: [(String, String)], _ body: [(String, String)] = []
        ) -> MSALFlowExchange {
            MSALFlowExchange(
                number: number, direction: direction, correlationId: UUID(),
                startDate: Date(timeIntervalSince1970: Double(number)),
                method: direction == .backChannel ? "POST" : "GET", address: address, status: status,
                parameters: parameters.map {
                    // As the library records it.
                    let isSecret = ["state", "nonce", "code", "code_verifier"].contains($0.0)
                    return MSALFlowParameter(
                        name: $0.0, place: place, value: isSecret ? "‹redacted› 43 characters" : $0.1)
                }
                    + body.map { MSALFlowParameter(name: $0.0, place: .responseBody, value: $0.1) })
        }
        let redirect = sent.first { $0.0 == "redirect_uri" }?.1 ?? ""
        return [
            exchange(1, .frontChannelRequest, recorded.endpoint ?? "https://own.example/authorize", nil, .query, sent),
            exchange(2, .frontChannelResponse, redirect, nil, .query, [("code", "K"), ("state", "S")]),
            exchange(
                3, .backChannel, "https://own.example/token", error == nil ? 200 : 400, .requestBody,
                [
                    ("grant_type", "authorization_code"), ("code", "K"), ("redirect_uri", redirect),
                    ("code_verifier", "V"),
                    ("client_id", sent.first { $0.0 == "client_id" }?.1 ?? ""),
                ],
                error.map { [("error", $0)] } ?? [("access_token", "T")]),
        ]
    }

    @Test(
        "Values that a recording has are reused, and those that it hides are named",
        arguments: [false, true])
    func parameters(isRedacted: Bool) throws {
        let content = try Self.evidence("redirect_uri_path.har")
        let recorded = try RecordedSignIn(isRedacted ? Self.redacted(content) : content)
        #expect(recorded.flow == .code && recorded.place.hasPrefix("entry "))
        #expect((recorded.endpoint == nil) == isRedacted, "\(recorded.endpoint ?? "")")
        let names = recorded.parameters.map(\.name)
        #expect(names.contains("response_type") && names.contains("redirect_uri") == !isRedacted)
        #expect(recorded.own.contains("client_id") == isRedacted, "\(recorded.own)")
        for name in ["state", "nonce", "code_challenge"] {
            #expect(!names.contains(name) && !recorded.own.contains(name))
        }
        let text = "\(recorded.parameters) \(recorded.own)"
        if isRedacted { #expect(!text.contains("-1")) }
    }

    /// A kind of evidence, and the flow or why it can't be walked.
    private static let kinds:
        [(name: String, text: String, expected: Result<RecordedSignIn.Flow, RecordedSignIn.Rejection>)] = [
            (
                "curl -v",
                """
                > GET /authorize?client_id=ledger&response_type=code&scope=openid%20mail HTTP/1.1
                > Host: login.example
                >
                < HTTP/1.1 302 Found
                """, .success(.code)
            ),
            (
                "device",
                #"{"log":{"entries":[{"request":{"method":"POST","url":"https://login.example/devicecode","postData":{"mimeType":"application/x-www-form-urlencoded","text":"client_id=ledger&scope=openid"}},"response":{"status":200}}]}}"#,
                .success(.device)
            ),
            (
                "log",
                "opening https://login.example/authorize?client_id=ledger&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2F&state=x\n",
                .success(.code)
            ),
            (
                "client credentials",
                """
                > POST /token HTTP/1.1
                > Host: login.example
                > Content-Type: application/x-www-form-urlencoded
                >
                grant_type=client_credentials&client_id=ledger&client_secret=s
                < HTTP/1.1 200 OK
                """, .failure(.otherFlow("client_credentials"))
            ),
            (
                "implicit", "GET https://login.example/authorize?client_id=ledger&response_type=token&state=x\n",
                .failure(.otherFlow("token"))
            ),
            (
                "code alone",
                """
                > POST /token HTTP/1.1
                > Host: login.example
                > Content-Type: application/x-www-form-urlencoded
                >
                grant_type=authorization_code&client_id=ledger&code=abc
                < HTTP/1.1 400 Bad Request
                """, .failure(.noBeginning(.token))
            ),
            (
                "no sign-in",
                #"{"log":{"entries":[{"request":{"method":"GET","url":"https://shop.example/"},"response":{"status":200}}]}}"#,
                .failure(.noSignIn)
            ),
            ("cut", #"{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-"#, .failure(.cutOff)),
            (
                "cut later",
                #"{"log":{"entries":[{"request":{"method":"GET","url":"https://shop.example/"},"response":{"status":200}},{"requ"#,
                .failure(.cutOff)
            ),
            ("words", "The user can't sign in.", .failure(.noSignIn)),
        ]

    @Test("Other recordings are walked, or rejected with the reason", arguments: Self.kinds.map(\.name))
    func recordings(name: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        let result = Result { () throws(RecordedSignIn.Rejection) in try RecordedSignIn(Array(kind.text.utf8)).flow }
        #expect(result == kind.expected)
    }

    /// Recorded failures, and how the first difference from a sign-in that works begins.
    private static let cases: [(file: String, error: String?, change: [String: String], first: String)] = [
        ("good.har", nil, [:], "The recordings differ in nothing"),
        ("good.har", "invalid_grant", [:], "First difference: the token request"),
        ("good.har", nil, ["scope": "openid"], "First difference: the authorization request"),
        ("code_used_twice.har", nil, [:], "First difference: your sign-in has no further token request."),
        ("declined.har", nil, [:], "First difference: the authorization response"),
        (
            "redirect_uri_path.har", nil, ["redirect_uri": "http://localhost/elsewhere"],
            "First difference: the authorization request"
        ),
        ("wrong_verifier.har", nil, [:], "First difference: the token request"),
        ("nobody_listens.har", nil, [:], "First difference: the authorization response"),
    ]

    @Test("The first difference is one finding, redacted or not", arguments: Self.cases.indices, [false, true])
    func difference(index: Int, isRedacted: Bool) throws {
        let (file, error, change, first) = Self.cases[index]
        let content = try Self.evidence(file)
        let recorded = try RecordedSignIn(isRedacted ? Self.redacted(content) : content)
        let finding = recorded.firstDifference(
            from: Self.own(like: recorded, changing: change, error: error), own: ["URL"])
        // A redacted value could be the same.
        let isHidden = isRedacted && change.keys.contains(where: recorded.own.contains)
        if !isHidden { #expect(finding.fact.hasPrefix(first), "\(finding)") }
        #expect(finding.subject == "First difference")
        #expect((finding.verdict == .passed) == finding.fact.hasPrefix("The recordings differ in nothing"))
        for secret in ["own-verifier", "‹redacted›"] { #expect(!finding.fact.contains(secret)) }
    }

    @Test("A placeholder is recognised, and what only looks like one isn't")
    func placeholders() {
        for part in [
            "client_id-1", "REDACTED", "host-2.invalid", "host-1.okta.com:8443", "path-12", "scope-3",
            "code_verifier-1~~~~",
            "‹hidden›", "***",
            "00000000-0000-0000-0000-000000000001",
        ] {
            #expect(Placeholders.isPlaceholder(part), "\(part)")
        }
        for part in [
            "ledger-1", "oauth2", "v2.0", "login.example", "app-2", "5908900d-1324-4616-93a3-3f4db92a9c27", "",
        ] {
            #expect(!Placeholders.isPlaceholder(part), "\(part)")
        }
    }
}
