import Foundation
import JSON
import Testing

@testable import Diagnosis

@Suite("Known causes")
struct KnownCauseTests {
    private static let resource = URL(filePath: #filePath).appending(path: "../../../../Resources/causes.json")
        .standardized

    @Test("The file is valid, and each row has a name of its own")
    func valid() throws {
        let causes = try KnownCause.all(JSONValue(parsing: Array(Data(contentsOf: Self.resource))))
        #expect(causes == KnownCause.bundled && causes.count > 150)
        #expect(Set(causes.map(\.id)).count == causes.count)
        #expect(causes.allSatisfy { $0.id.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil })
    }

    @Test("A cause and its fixes are plain sentences", arguments: KnownCause.bundled)
    func sentences(cause: KnownCause) {
        for text in [cause.headline] + cause.fix.texts {
            #expect(text.last == "." && text.first?.isUppercase ?? false, "\(cause.id): \(text)")
            #expect(text.count < 200, "\(cause.id): \(text)")
        }
        #expect(cause.subject.split(separator: " ").count <= 3)
        #expect(cause.phrases.allSatisfy { $0.text.count >= 5 || $0.text.first?.isNumber ?? false }, "\(cause.id)")
    }

    @Test(
        "What is said of the causes that only requests show are plain sentences",
        arguments: KnownCause.requests.keys.sorted())
    func requests(name: String) throws {
        let cause = Cause(name, naming: ".")
        #expect(name.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil)
        for text in [cause.headline, cause.fix] {
            #expect(text.last == "." && text.first?.isUppercase ?? false && text.count < 200, "\(name): \(text)")
        }
        #expect(cause.subject.split(separator: " ").count <= 3)
        let members = try #require(KnownCause.requests[name]?.object)
        #expect(members["who"]?.string == cause.who?.rawValue && Set(members.keys).isSubset(of: Self.members))
    }

    private static let members: Set = ["subject", "cause", "fix", "who"]

    /// What can't be judged, but can be made so that it can.
    private static let stillToDo: Set = ["code-not-known", "certificate-uri-needed"]

    @Test("What is said of a value is a plain sentence", arguments: CheckFinding.rows.keys.sorted())
    func findings(name: String) throws {
        let members = try #require(CheckFinding.rows[name]?.object)
        let texts = [members["fact"]?.string, members["fix"]?.string].compactMap(\.self)
        for text in texts where text != "{}" {
            // The name of a member is as it is.
            let isName =
                text.prefix { $0 != " " }.contains("_") || text.hasPrefix("resource is ")
                || text.hasPrefix("issuer is ")
            let isSentence =
                text.last == "." && (isName || text.first.map { $0.isUppercase || "{\"".contains($0) } ?? false)
            #expect(isSentence && text.count < 200, "\(name): \(text)")
        }
        #expect(members["verdict"]?.string.flatMap(CheckFinding.Verdict.init) != nil && members["subject"] != nil)
        #expect(Set(members.keys).isSubset(of: ["subject", "verdict", "fact", "fix"]))
        let hasFix = members["verdict"] != "passed" && members["verdict"] != "skipped" || Self.stillToDo.contains(name)
        #expect((members["fix"] != nil) == hasFix)
    }

    @Test("The code names all texts of requests and values, and no others")
    func namedTexts() throws {
        let folder = Self.resource.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Sources/Diagnosis")
        let texts = Set(KnownCause.requests.keys).union(CheckFinding.rows.keys)
        var named: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where file.hasSuffix(".swift") {
            let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            named.formUnion(code.matches(of: #/"([a-z0-9-]+)"/#).map { String($0.1) })
            for match in code.matches(of: #/(?:Cause|CheckFinding|found)\(\s*(?:named: )?"([a-z][^" ]*)"/#) {
                let name = String(match.1)
                #expect(texts.contains(name) || KnownCause.named(name) != nil, "\(name) in \(file)")
            }
        }
        #expect(texts.subtracting(named) == ["other-redirect-uri-missing", "other-client-missing"])
    }

    @Test("The words for values are there")
    func values() {
        for meaning in LineWords.Meaning.allCases { #expect(!Facts.words("lines", meaning.rawValue).isEmpty) }
        for role in ValueRole.allCases {
            let row = KnownCause.values["roles"]?[role.rawValue]
            #expect(!role.words.isEmpty && row?["cause"]?.string != nil)
            #expect(row?["who"]?.string.flatMap(ErrorDictionary.Actor.init) != nil)
        }
        for owner in RoleFact.Owner.allCases { #expect(!owner.phrase.isEmpty) }
        for difference in ValueDifference.allCases { #expect(difference.sentence.hasSuffix(".")) }
        let fixes = KnownCause.values["fixes"]?.array ?? []
        #expect(fixes.count > 20 && fixes.allSatisfy { $0["fix"]?.string?.hasSuffix(".") == true })
        // Each role has one for any difference.
        let general = fixes.filter { $0["differences"] == nil && $0["owners"] == nil }
        #expect(Set(general.flatMap { $0["roles"]?.strings ?? [] }) == Set(ValueRole.allCases.map(\.rawValue)))
        for platform in Platform.allCases { #expect(!Optional(platform).howToLog.isEmpty) }
        #expect(!Optional<Platform>.none.howToLog.isEmpty && KnownCause.missing.object?.count == 7)
        #expect(KnownCause.codes.count == 20 && KnownCause.particles.object?.count == 8)
        #expect(Facts.words("marks").count > 40 && Facts.words("exactMarks").count > 30)
        #expect(KnownCause.values["endings"]?.array?.count == 13 && KnownCause.values["wholeNames"]?.array?.count == 11)
    }

    @Test("No two rows of a strength claim the same text without a condition")
    func distinct() {
        var claimed: [String: String] = [:]
        for cause in KnownCause.bundled where cause.with.isEmpty && cause.without.isEmpty {
            for phrase in cause.phrases {
                let key = "\(cause.strength) \(phrase.text)"
                #expect(claimed[key] == nil, "\(cause.id) and \(claimed[key] ?? "")")
                claimed[key] = cause.id
            }
        }
    }

    @Test(
        "A row with a mistake makes the file invalid",
        arguments: [
            #"{"id":"a","subject":"A","strength":"stated","texts":{"any":["x"]},"cause":"C.","fix":"F.","typo":1}"#,
            #"{"id":"a","subject":"A","strength":"sure","texts":{"any":["x"]},"cause":"C.","fix":"F."}"#,
            #"{"id":"a","subject":"A","strength":"guessed","texts":{"any":["x"]},"cause":"C.","fix":"F."}"#,
            #"{"id":"a","subject":"A","strength":"stated","cause":"C.","fix":"F."}"#,
            #"{"id":"a","subject":"A","strength":"stated","texts":{"any":["x"]},"cause":"C.","fix":{"spa":"F."}}"#,
            #"{"id":"a","subject":"A","strength":"stated","texts":{"any":["x"]},"cause":"C.","fix":{"other":"F.","tv":"F."}}"#,
        ])
    func invalid(row: String) {
        #expect(throws: (any Error).self) { try KnownCause.all(JSONValue(parsing: #"{"causes":[\#(row)]}"#)) }
    }

    @Test("docs/causes.md lists every row")
    func document() throws {
        let file = Self.resource.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "docs/causes.md")
        let text = CauseDocument.text(KnownCause.bundled)
        if ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            Issue.record("Recorded \(file.lastPathComponent)")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}

@Suite("The order of causes")
struct CauseOrderTests {
    private static func causes(_ text: String) -> [Cause] { CauseRules.causes(in: text) }

    @Test("What was observed beats a sentence, a sentence a number, a number a name, and anything a guess")
    func strengths() {
        #expect(CauseStrength.allCases == CauseStrength.allCases.sorted())
        let reversed = CauseStrength.allCases.reversed().map { strength in
            Cause(strength: strength, subject: "\(strength)", headline: "A.", fix: "B.", positions: [1])
        }
        #expect(CauseRules.ordered(reversed).map(\.strength) == CauseStrength.allCases)
    }

    @Test("Of equally strong rows, that with more conditions comes first")
    func conditions() {
        let counts = KnownCause.rules.compactMap { $0.id.flatMap(KnownCause.named)?.with.count }
        #expect(counts == counts.sorted(by: >) && counts.count > 100)
    }

    @Test(
        "The more specific cause comes first",
        arguments: [
            // A description beats the name of its error.
            (
                "http://localhost/cb?error=access_denied&state=a&error_description=User+is+not+assigned+to+this+application.",
                "user-not-assigned"
            ),
            (
                "http://localhost/cb?error=access_denied&state=a&error_description=Service+not+enabled+within+domain%3A+https%3A%2F%2Fa.example",
                "audience-unknown"
            ),
            ("http://localhost/cb?error=access_denied&state=a", "cancelled"),
            // A sentence beats a number.
            ("invalid_token: IDX10222: Lifetime validation failed. The token is not yet valid.", "token-not-valid-yet"),
            (
                "AADSTS650053: asked for scope 'a' that doesn't exist on the resource '00000003-0000-0000-c000-000000000000'.",
                "scope-without-resource"
            ),
            ("AADSTS650053: asked for scope 'a' that doesn't exist on the resource 'api://b'.", "AADSTS650053"),
            // The runtime's line, and a name of an old library.
            (
                "objc[4]: Class MSALAccount is implemented in both /a/MSAL (0x1) and /b/App (0x2).",
                "class-in-two-libraries"
            ),
            ("AD_ERROR_SERVER_USER_INPUT_NEEDED", "adal"),
            // A number beats the name of its error.
            ("msal.application: Refresh failed. invalid_grant: AADSTS50076: MFA", "AADSTS50076"),
        ])
    func specific(text: String, id: String) throws {
        let explainer = try Explainer(
            clientID: "",
            infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
            now: Date(timeIntervalSince1970: 1_800_000_000))
        #expect(try explainer.explain(file: Array(text.utf8)).cause == id)
    }

    @Test(
        "A code of Azure AD B2C isn't the AADSTS code with the same digits, in whatever form it arrives",
        arguments: [
            "AADB2C90091",
            "https://a.example/#error=access_denied&error_description=AADB2C90091%3a+The+user+has+cancelled&state=x",
            #"{"error":"access_denied","error_description":"AADB2C90091: The user has cancelled","error_codes":[90091]}"#,
            "HTTP/1.1 400 Bad Request\nContent-Type: text/html\n\n<html><body>AADB2C90091</body></html>",
            "msal.application: access_denied: AADB2C90091: The user has cancelled",
        ])
    func family(text: String) throws {
        let explainer = try Explainer(
            clientID: "",
            infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
            now: Date(timeIntervalSince1970: 1_800_000_000))
        let explanation = try explainer.explain(file: Array(text.utf8))
        #expect(explanation.cause == "AADB2C90091")
        #expect(!"\(explanation)".contains("AADSTS90091"))
    }

    @Test("The name of a key proves nothing", arguments: ["LSApplicationQueriesSchemes", "CFBundleURLTypes"])
    func keyName(name: String) {
        #expect(Self.causes("TID=1 MSAL 2.4.1 iOS 18.2 [2026-03-01 10:00:00] We added \(name).\n").isEmpty)
    }

    @Test(
        "The fix is that of the platform",
        arguments: [
            ("@azure/msal-browser@3.2.0 : Error - AADSTS50011: x", "Single-page application"),
            ("cli.azure.cli.core: AADSTS50011: x", "Mobile and desktop applications"),
            ("com.microsoft.identity.client.exception: AADSTS50011: x", "Android"),
            ("MSALErrorDomain Code=-50000 AADSTS50011: x", "iOS / macOS"),
            ("AADSTS50011: x", "each have their own platform"),
        ])
    func platform(text: String, words: String) throws {
        let cause = try #require(Self.causes(text + "\n").first)
        #expect(cause.fix.contains(words))
    }

    @Test("A guess says what it rests on, and is never the failure")
    func guess() throws {
        let cause = try #require(
            Self.causes("Error Domain=MSALErrorDomain Code=-50000 {MSALInternalErrorCodeKey=-42008}").first)
        #expect(cause.strength == .guessed && cause.facts.contains { $0.row.name == "Rests on" })
        #expect(cause.finding(isFirst: true).verdict == .warning)
    }

    @Test("Two issuers that differ by a slash are compared")
    func values() throws {
        let text =
            #"issuer did not match the issuer returned by provider, expected "https://a.example/b" got "https://a.example/b/""#
        let cause = try #require(Self.causes(text).first)
        #expect(cause.facts.last?.row.value == "Only the final slash differs.")
    }

    @Test("The last GUID of a text isn't the client")
    func client() throws {
        let text =
            "AADSTS650053: The application 'Ledger' asked for scope 'a' that doesn't exist on the resource "
            + "'00000003-0000-0000-c000-000000000000'."
        #expect(ErrorDetails.section(in: Array(text.utf8), at: 1)?.rows.contains { $0.name == "Application" } != true)
    }
}
