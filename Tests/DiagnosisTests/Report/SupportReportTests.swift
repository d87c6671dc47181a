import Diagnosis
import Foundation
import JSON
import MSAL
import OAuthCore
import Testing

/// Planted secrets and names must not appear in any report.
@Suite("Reports that are safe to share")
struct SupportReportTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let correlationID = UUID(
        uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

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
                CheckFinding("Encryption", .passed, "In /home/annabel/PLANTEDSECRET/x.key."),
                CheckFinding("Token cache", .passed, text),
            ]),
    ])

    private static func report(_ attempt: SupportReport.Attempt = .recorded(AttemptReport(record))) -> SupportReport {
        SupportReport(
            versions: [.init("keyturn", "0.1.0")], check: check, attempt: attempt, date: date,
            masking: Masking(words: ["PLANTEDSECRET", "Annabel", "Contoso"]))
    }

    @Test("Nothing planted appears", arguments: planted)
    func isNowhere(word: String) throws {
        let kept = AttemptReport(Self.record).json.serialized
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
        #expect(Self.report(.notRecorded).text.contains("None recorded."))
        #expect(Self.report(.damaged).text.contains("damaged or changed, and was left out."))
    }

    @Test func failedChecksOfAnIDTokenAppear() {
        let error = MSALAuthenticationError(
            domain: MSALErrorDomain, code: -50000, userInfo: [MSALFailedChecksKey: ["Signature", "Nonce"]])
        let record = MSALFlowRecord(
            kind: .silent, correlationId: Self.correlationID, startDate: Self.date, endDate: Self.date,
            failure: error)
        #expect(Self.report(.recorded(AttemptReport(record))).text.contains("failed check Signature, Nonce"))
    }

    /// The values of the first exchange, as far as shown.
    private static func values(_ record: MSALFlowRecord) -> [String] {
        let exchange = AttemptReport(record).json["exchanges"]?.array?.first
        return exchange?["parameters"]?.array?.compactMap { $0["value"]?.string } ?? []
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
        let shown = Self.values(record)
        #expect(shown.count == values.count)
        for (parameter, value) in zip(shown, values) {
            #expect(parameter == (value.2 ? value.1 : Masking.hidden), "\(value)")
        }
    }

    @Test func savedReportsReadBackUnchanged() throws {
        for record in [Self.record, Self.ordinary] {
            let attempt = AttemptReport(record)
            #expect(AttemptReport(saved: Array(attempt.json.serialized.utf8)) == attempt)
        }
    }

    /// A usual request, with an address, a header field and a failure that are shown.
    private static let ordinary = MSALFlowRecord(
        kind: .silent, correlationId: correlationID, startDate: date, endDate: date.addingTimeInterval(1),
        events: [
            MSALFlowEvent(step: .readCache, phase: .noted, detail: "", date: date),
            MSALFlowEvent(step: .refreshToken, phase: .started, detail: "", date: date),
        ],
        exchanges: [
            "https://login.microsoftonline.com/common/oauth2/v2.0/token", "http://127.0.0.1:8400/contoso/oauth2/token",
            "http://[::1]:8400/", "https://contoso.b2clogin.com/x", "https://id.contoso.example", "msauth.app://auth",
            "",
        ].map { address in
            MSALFlowExchange(
                number: 1, direction: .backChannel, correlationId: correlationID, startDate: date, method: "POST",
                address: address, status: 400, mediaType: "application/json",
                parameters: [
                    MSALFlowParameter(name: "error", place: .responseBody, value: "invalid_grant"),
                    MSALFlowParameter(
                        name: "date", place: .responseHeader, value: "Sun, 06 Nov 1994 08:49:37 GMT"),
                    MSALFlowParameter(name: "scope", place: .requestBody, value: "openid User.Read"),
                ])
        },
        failure: MSALAuthenticationError(
            domain: MSALErrorDomain, code: -50002,
            userInfo: [
                MSALOAuthErrorKey: "invalid_grant", MSALOAuthSubErrorKey: "bad_token",
                MSALFailedChecksKey: ["Signature"],
                NSUnderlyingErrorKey: NSError(domain: "NSURLErrorDomain", code: -1001),
            ]))

    /// The JSON documents with one text replaced.
    private static func changed(_ json: Any, by text: String) -> [Any] {
        if let old = json as? String { return ["\(old)\(text)", text].filter { $0 != old } }
        var documents: [Any] = []
        if let members = json as? [String: Any] {
            for (name, member) in members {
                documents += changed(member, by: text).map { members.merging([name: $0]) { _, new in new } as Any }
            }
        } else if let items = json as? [Any] {
            for (index, item) in items.enumerated() {
                for new in changed(item, by: text) {
                    var items = items
                    items[index] = new
                    documents.append(items)
                }
            }
        }
        return documents
    }

    @Test(
        "A saved report with any changed text is omitted",
        arguments: ["PLANTEDSECRET", "\u{1B}[2J", " secret.corp.example", "\u{202E}", "\n- FAILED", "/", ""])
    func changedRecord(text: String) throws {
        let data = Data(AttemptReport(Self.ordinary).json.serialized.utf8)
        let changed = Self.changed(try JSONSerialization.jsonObject(with: data), by: text)
        #expect(changed.count > 20)
        for document in changed {
            let bytes = Array(try JSONSerialization.data(withJSONObject: document))
            guard let report = AttemptReport(saved: bytes) else { continue }
            // Only these texts produce another valid report.
            #expect(text.isEmpty || text == "/", "\(String(decoding: bytes, as: UTF8.self))")
            #expect(Self.report(.recorded(report)).text.allSatisfy { $0.isNewline ? $0 == "\n" : true })
        }
    }

    @Test(
        "A saved report with a number or ID of another form is omitted, because it could encode anything",
        arguments: [
            (#"correlationID":"[^"]*"#, #"correlationID":"61626364-6566-6768-696A-6B6C6D6E6F70"#),
            (#"correlationID":"[^"]*"#, #"correlationID":"61626364-6566-4768-696A-6B6C6D6E6F70"#),
            (#""milliseconds":\d+"#, #""milliseconds":4915550123456"#), (#""milliseconds":\d+"#, #""milliseconds":-2"#),
            (#""duration":\d+"#, #""duration":4915550123456"#), (#""status":\d+"#, #""status":15550123"#),
            (#""stsCodes":\[[^\]]*\]"#, #""stsCodes":[4915550123456]"#),
            (#""stsCodes":\[[^\]]*\]"#, #""stsCodes":[1,2,3,4,5,6,7,8,9]"#),
            (#""code":-?\d+"#, #""code":4915550123"#), (#""internalCode":-?\d+"#, #""internalCode":4915550123"#),
            (#"NSURLErrorDomain -\d+"#, "NSURLErrorDomain -4915550123"),
            (#"NSURLErrorDomain -"#, "NSURLErrorDomain -000"),
        ])
    func changedNumber(pattern: String, new: String) throws {
        let error = MSALAuthenticationError(
            domain: MSALErrorDomain, code: -50000,
            userInfo: [
                MSALInternalErrorCodeKey: -42004, MSALSTSErrorCodesKey: [50076], MSALHTTPResponseCodeKey: "400",
                NSUnderlyingErrorKey: NSError(domain: NSURLErrorDomain, code: -1001),
            ])
        let attempt = AttemptReport(
            MSALFlowRecord(
                kind: .silent, correlationId: Self.correlationID, startDate: Self.date, endDate: Self.date,
                exchanges: Self.ordinary.exchanges, failure: error))
        let text = attempt.json.serialized
        #expect(AttemptReport(saved: Array(text.utf8)) == attempt)
        let changed = text.replacing(try Regex(pattern), with: new, maxReplacements: 1)
        #expect(changed != text)
        #expect(AttemptReport(saved: Array(changed.utf8)) == nil, "\(changed)")
    }

    @Test func longNumbersOfAServerAreHidden() {
        let values = [
            ("expires_in", "3600", true), ("expires_in", "4915550123456", false),
            ("error_codes", "[50076, 70000]", true),
            ("error_codes", "[4915550123456]", false), ("error_codes", "1.2", false), ("api-version", "1.1", true),
            ("api-version", "49.155.501", false), ("interval", "", false),
        ]
        for (name, value, isShown) in values {
            let exchange = MSALFlowExchange(
                number: 1, direction: .backChannel, correlationId: Self.correlationID, startDate: Self.date,
                address: "https://a/", parameters: [MSALFlowParameter(name: name, place: .responseBody, value: value)])
            let record = MSALFlowRecord(
                kind: .silent, correlationId: Self.correlationID, startDate: Self.date, endDate: Self.date,
                exchanges: [exchange])
            #expect(Self.values(record) == [isShown ? value : Masking.hidden], "\(name)=\(value)")
        }
    }

    @Test(
        "Other content than a saved report is omitted",
        arguments: ["", "{}", "null", "[]", #"{"kind":1}"#, "\u{0}"])
    func noRecord(text: String) throws {
        #expect(AttemptReport(saved: Array(text.utf8)) == nil)
        for date in ["1e300", "-1e300", "-1e12", "1e999"] {
            let data = Data(AttemptReport(Self.ordinary).json.serialized.utf8)
            let changed = String(decoding: data, as: UTF8.self).replacing(
                #/"startDate":[0-9.]+/#, with: #""startDate":\#(date)"#)
            #expect(changed.contains(date))
            #expect(AttemptReport(saved: Array(changed.utf8)) == nil, "\(date)")
        }
    }
}
