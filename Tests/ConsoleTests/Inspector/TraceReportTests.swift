import Console
import Diagnosis
import Foundation
import MSAL
import TerminalUI
import Testing

@Suite("Reports of a flow")
struct TraceReportTests {
    private func report(_ exchanges: [MSALFlowExchange]) throws -> TraceReport {
        TraceReport(try #require(inspecting(signedIn(exchanges)).inspected), held: nil)
    }

    private static let forms: [(String, @Sendable (TraceReport) -> String)] = [
        ("text", { $0.text }), ("HTML", { $0.html }), ("HAR", { $0.har }),
    ]

    @Test("No format contains a secret or a name", arguments: Self.forms.map(\.0))
    func secrets(form: String) throws {
        let write = try #require(Self.forms.first { $0.0 == form }?.1)
        for exchanges in [signInExchanges, signInExchanges.dropLast() + [rejectedExchange]] {
            let text = write(try report(exchanges))
            for secret in plantedSecrets + ["alice@contoso.example"] { #expect(!text.contains(secret)) }
            #expect(text.contains("login.contoso.example/common/oauth2/v2.0/token"))
        }
    }

    @Test("No format lets a server's text break out of its place", arguments: ["text", "HTML"])
    func hostile(form: String) throws {
        let write = try #require(Self.forms.first { $0.0 == form }?.1)
        let text = write(try report([wideExchange, rejectedExchange]))
        #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E || $0.value == 0x7 })
    }

    @Test func theTextNamesStepsInOrder() throws {
        let text = try report(signInExchanges).text
        #expect(
            text.contains("1. +0.000 s OpenID metadata: 200, 0.214 s")
                || text.contains("OpenID metadata: 200, 0.214 s"))
        #expect(
            text.contains(
                "   form  code_verifier = ‹redacted› 43 characters, its SHA-256 is the code_challenge above"))
        #expect(text.contains("Correlation ID: C0FFEE00-0000-4000-8000-000000000000"))
    }

    @Test func theHandoutHasMeaningsAndNoNameOfAnAccount() throws {
        let text = try report([rejectedExchange]).html
        let row = try #require(text.split(separator: "\n").first { $0.contains("<code>error_description</code>") })
        #expect(row.contains("has expired | really.") && row.contains("(RFC 6749"))
    }

    /// The members that HAR 1.2 requires, and their JSON types.
    private static let required: [(path: String, members: [String: String])] = [
        ("log", ["version": "text", "creator": "object", "entries": "list"]),
        ("log.creator", ["name": "text", "version": "text"]),
        (
            "log.entries",
            [
                "startedDateTime": "text", "time": "number", "request": "object", "response": "object",
                "cache": "object", "timings": "object",
            ]
        ),
        (
            "log.entries.request",
            [
                "method": "text", "url": "text", "httpVersion": "text", "cookies": "list", "headers": "list",
                "queryString": "list", "headersSize": "number", "bodySize": "number",
            ]
        ),
        (
            "log.entries.response",
            [
                "status": "number", "statusText": "text", "httpVersion": "text", "cookies": "list",
                "headers": "list", "content": "object", "redirectURL": "text", "headersSize": "number",
                "bodySize": "number",
            ]
        ),
        ("log.entries.response.content", ["size": "number", "mimeType": "text"]),
        ("log.entries.timings", ["send": "number", "wait": "number", "receive": "number"]),
        ("log.entries.request.headers", ["name": "text", "value": "text"]),
        ("log.entries.request.queryString", ["name": "text", "value": "text"]),
        ("log.entries.request.postData", ["mimeType": "text", "params": "list"]),
        ("log.entries.request.postData.params", ["name": "text", "value": "text"]),
        ("log.entries.response.headers", ["name": "text", "value": "text"]),
    ]

    private static func type(of value: Any?) -> String {
        switch value {
        case is String: "text"
        case is [Any]: "list"
        case is [String: Any]: "object"
        case is NSNumber: "number"
        default: "nothing"
        }
    }

    /// The objects at a path; lists are searched.
    private static func objects(at path: String, in root: [String: Any]) -> [[String: Any]] {
        path.split(separator: ".").reduce([root]) { objects, name in
            objects.flatMap { object -> [[String: Any]] in
                switch object[String(name)] {
                case let list as [[String: Any]]: list
                case let inner as [String: Any]: [inner]
                default: []
                }
            }
        }
    }

    @Test("The archive has the members that HAR 1.2 requires", arguments: Self.required.map(\.path))
    func har(path: String) throws {
        let members = try #require(Self.required.first { $0.path == path }?.members)
        let text = try report(signInExchanges + [unreachableExchange]).har
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let objects = Self.objects(at: path, in: root)
        #expect(!objects.isEmpty)
        for object in objects {
            for (name, type) in members { #expect(Self.type(of: object[name]) == type, "\(path).\(name)") }
        }
    }

    @Test func theArchivesEntriesAreTheExchanges() throws {
        let text = try report(signInExchanges).har
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let entries = Self.objects(at: "log.entries", in: root)
        #expect(entries.count == 4)
        #expect(entries.first?["startedDateTime"] as? String == "2026-11-20T10:30:00.012Z")
        #expect(entries.first?["time"] as? Double == 214)
        let url = try #require((entries[1]["request"] as? [String: Any])?["url"] as? String)
        #expect(URL(string: url)?.query()?.contains("code_challenge_method=S256") == true)
        #expect(Self.objects(at: "log", in: root).first?["version"] as? String == "1.2")
    }

    private func findings(_ exchanges: [MSALFlowExchange]) throws -> [CheckFinding] {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: testTime)
        return try explainer.explain(file: Array(report(exchanges).har.utf8)).findings
    }

    /// It hides secrets, so they can't be compared, and lacks the responses to the browser.
    @Test func theArchiveOfASignInIsExplainedAsASuccess() throws {
        #expect(try findings(signInExchanges).worst == .passed)
    }

    @Test func theArchiveOfAFailureIsExplainedByItsError() throws {
        let found = try findings(signInExchanges.dropLast() + [rejectedExchange])
        #expect(found.contains { $0.verdict == .failed && $0.fact.contains("expired") }, "\(found)")
    }
}
