import AuthEngine
import Diagnosis
import Foundation
import OAuthCore
import Testing

/// Planted secrets and names must not appear in any report.
@Suite("Reports that are safe to share")
struct SupportReportTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let correlationID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    /// A secret and a name, in all their possible forms.
    private static let planted = ["PLANTEDSECRET", "Annabel", "annabel@contoso.example", "contoso"]

    private static let text = "PLANTEDSECRET of Annabel Contoso (annabel@contoso.example) at contoso.example"

    private static func parameter(
        _ name: String, _ place: MSALFlowParameter.Place, _ kind: MSALFlowParameter.Kind
    ) -> MSALFlowParameter {
        MSALFlowParameter(
            name: name, place: place, kind: kind, value: text, shareableValue: text, note: text, whole: text)
    }

    /// An exchange with secrets everywhere, as if its redaction had failed.
    private static let exchange = MSALFlowExchange(
        number: 1, direction: .backChannel, correlationId: correlationID, startDate: date, duration: 0.2,
        method: text, address: "https://contoso.example/PLANTEDSECRET/annabel", status: 400, mediaType: text,
        parameters: MSALFlowParameter.Place.allCases.flatMap { place in
            MSALFlowParameter.Kind.allCases.flatMap { kind in
                [
                    "code", "state", "access_token", "id_token", "refresh_token", "error", "error_description",
                    "suberror",
                    "scope", "login_hint", "client_info", "claims", "redirect_uri", "username", "cookie", "set-cookie",
                    "authorization", "prompt", "expires_in", "error_codes", "retry-after", "server", "x-ms-request-id",
                    "PLANTEDSECRET", "x-client-PLANTEDSECRET", "x-app-name",
                ].map { parameter($0, place, kind) }
            }
        }, failure: text)

    private static let failure = MSALAuthenticationError(
        domain: MSALErrorDomain, code: -50000,
        userInfo: [
            NSLocalizedDescriptionKey: text, NSLocalizedRecoverySuggestionErrorKey: text, MSALErrorDescriptionKey: text,
            MSALOAuthErrorKey: text, MSALOAuthSubErrorKey: text, MSALOAuthSubErrorDescriptionKey: text,
            MSALInternalErrorCodeKey: -42004, MSALSTSErrorCodesKey: [50076], MSALHTTPResponseCodeKey: "400",
            MSALHTTPHeadersKey: ["Set-Cookie": text], MSALDisplayableUserIdKey: text, MSALHomeAccountIdKey: text,
            MSALDeclinedScopesKey: [text], MSALCorrelationIDKey: text,
            NSUnderlyingErrorKey: NSError(domain: text, code: 7, userInfo: [NSLocalizedDescriptionKey: text]),
        ])

    private static let record = MSALFlowRecord(
        kind: .interactive, correlationId: correlationID, startDate: date, endDate: date.addingTimeInterval(2),
        events: MSALFlowEvent.Step.allCases.map {
            MSALFlowEvent(
                step: $0, phase: .failed, detail: text, date: date,
                authorizationURL: URL(string: "https://contoso.example/PLANTEDSECRET?login_hint=annabel"))
        }, exchanges: [exchange], failure: failure)

    private static let check = CheckReport([
        .init(.configuration, [CheckFinding("Configuration", .failed, text, fix: text)]),
        .init(.application, [CheckFinding("Client ID", .passed, text), CheckFinding("Application", .passed, text)]),
        .init(
            .authority,
            [
                CheckFinding("Authority", .failed, "https://contoso.example/PLANTEDSECRET answers \(text).", fix: text),
                CheckFinding("Proxy", .passed, "Requests use proxy.contoso.example from $https_proxy."),
            ]),
        .init(
            .cache,
            [
                CheckFinding("Token key", .passed, "In /home/annabel/PLANTEDSECRET/x.key."),
                CheckFinding("Token cache", .passed, text),
            ]),
    ])

    private static func report(_ attempt: AttemptReport? = AttemptReport(record)) -> SupportReport {
        SupportReport(
            versions: [.init("keyturn", "0.1.0")], check: check, attempt: attempt, date: date,
            masking: Masking(words: ["PLANTEDSECRET", "Annabel", "Contoso"]))
    }

    @Test("Nothing planted appears", arguments: planted)
    func isNowhere(word: String) throws {
        let kept = String(decoding: try JSONEncoder().encode(AttemptReport(Self.record)), as: UTF8.self)
        #expect(!kept.lowercased().contains(word.lowercased()), "\(kept)")
        let text = Self.report().text
        #expect(!text.lowercased().contains(word.lowercased()), "\(text)")
    }

    @Test func usefulFactsAppear() {
        let text = Self.report().text
        for part in [
            "keyturn: 0.1.0", "[failed] Configuration", "code -50000", "internal code -42004", "AADSTS50076",
            "MFA needed", "HTTP status 400", Self.correlationID.uuidString, "2027-01-15T08:00:00Z",
            "redeemCode failed",
            "from $https_proxy",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(Self.report(nil).text.contains("None recorded."))
    }

    @Test func failedChecksOfAnIDTokenAppear() {
        let error = MSALAuthenticationError(
            domain: MSALErrorDomain, code: -50000, userInfo: [MSALFailedChecksKey: ["Signature", "Nonce"]])
        let record = MSALFlowRecord(
            kind: .silent, correlationId: Self.correlationID, startDate: Self.date, endDate: Self.date,
            failure: error)
        #expect(Self.report(AttemptReport(record)).text.contains("failed check Signature, Nonce"))
    }

    @Test func knownWordsOfTheProtocolAppear() throws {
        func plain(_ name: String, _ value: String) -> MSALFlowParameter {
            MSALFlowParameter(name: name, place: .responseBody, value: value)
        }
        let values = [
            ("error", "invalid_grant", true), ("error", "ann", false), ("suberror", "bad_token", true),
            ("scope", "openid User.Read", true), ("scope", "openid api://contoso/x", false),
            ("expires_in", "3600", true),
            ("expires_in", "soon", false), ("error_codes", "[50076,70000]", true), ("prompt", "login", true),
            ("redirect_uri", "http://localhost", false), ("grant_type", "refresh_token", true),
        ]
        let exchange = MSALFlowExchange(
            number: 1, direction: .backChannel, correlationId: Self.correlationID, startDate: Self.date,
            address: "https://a/",
            parameters: values.map { plain($0.0, $0.1) })
        let record = MSALFlowRecord(
            kind: .silent, correlationId: Self.correlationID, startDate: Self.date, endDate: Self.date,
            exchanges: [exchange])
        let shown = try #require(AttemptReport(record).exchanges.first).parameters
        #expect(shown.count == values.count)
        for (parameter, value) in zip(shown, values) {
            #expect(parameter.value == (value.2 ? value.1 : Masking.hidden), "\(value)")
        }
    }

    @Test func savedReportsReadBackUnchanged() throws {
        let attempt = AttemptReport(Self.record)
        let data = try JSONEncoder().encode(attempt)
        #expect(try JSONDecoder().decode(AttemptReport.self, from: data) == attempt)
    }
}
