import Console
import Diagnosis
import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Every error that the program prints is explained with its own cause, and never with another one.
@Suite("Explanation of the program's own errors")
struct OwnErrorExplanationTests {
    private static func explain(_ text: String) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"
        return try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast).explain(
            file: Array(text.utf8))
    }

    private static func error(_ row: FailureRow) -> NSError {
        MSALAuthenticationError(row.failure, correlationID: UUID(uuidString: "11111111-2222-4333-8444-555555555555"))
    }

    /// What the explanation must say. A server's error is explained by its own entry.
    private static func isNamed(_ error: NSError, in explanation: Explanation) -> Bool {
        guard let finding = explanation.findings.first, explanation.findings.count == 1, finding.verdict == .failed
        else {
            return false
        }
        if let name = error.userInfo[MSALOAuthErrorKey] as? String {
            let dictionary = ErrorDictionary.bundled
            let codes = error.userInfo[MSALSTSErrorCodesKey] as? [Int] ?? []
            let entries =
                codes.compactMap { dictionary.entry(sts: $0) }
                + [(error.userInfo[MSALOAuthSubErrorKey] as? String).flatMap { dictionary.entry(.suberror, $0) }]
                .compactMap { $0 }
                + [dictionary.entry(.suberror, name), dictionary.entry(.oauth, name)].compactMap { $0 }
            if entries.contains(where: { finding.subject == $0.code && finding.fact.hasSuffix($0.meaning) }) {
                return true
            }
        }
        let masking = Masking()
        let report = Failure(reporting: error)
        // A screen copies the library's advice.
        let advice = [report.advice, error.localizedRecoverySuggestion ?? ""]
        let said = [report.headline, report.reason].map { masking.text($0.trimmingSuffix(" (anything_else)")) }
        return finding.subject == "keyturn" && advice.contains { finding.fix == masking.text($0) }
            && (finding.fact.contains(said[1]) || finding.fact.contains("Request rejected."))
            && (finding.fact.contains(said[0]) || said[1].hasPrefix(said[0].trimmingSuffix(".")))
    }

    @Test("The cause of each failure", arguments: FailureRow.oAuth + FailureRow.conditions)
    func causes(row: FailureRow) throws {
        let error = Self.error(row)
        let report = Failure(reporting: error)
        let copied = Failure(error, at: .distantPast).text(in: .gmt)
        let journal = report.text.split(separator: "\n").map { "Nov 23 00:45:02 host keyturn[7]: \($0)\n" }.joined()
        // As copied from a terminal, where the lines are wrapped. Wrapping joins the spaces around a client ID that is missing here.
        let columns = report.reason.contains("  ") ? nil : 80
        let wrapped = "$ keyturn token\n\(report.text(columns: columns))"
        for text in [report.text, report.json(), "$ keyturn token\n\(report.text)", wrapped, journal, copied] {
            let explanation = try Self.explain(text)
            #expect(Self.isNamed(error, in: explanation), "\(text)\(explanation)")
        }
        // A log has the same cause, with its lines.
        let log =
            "keyturn: log: MSAL 2.13.0 Linux 6 [2026-11-23 00:45:02 UTC - 11111111-2222-4333-8444-555555555555] Step\n"
        let explanation = try Self.explain(log + report.text)
        #expect(explanation.kind == .log && Self.isNamed(error, in: explanation), "\(explanation)")
    }

    private static func rejection(
        _ error: String, _ description: String?, codes: [Int] = [], at endpoint: ResponseFailure.Endpoint
    ) -> AuthenticationFailure {
        .authority(
            .response(
                ResponseFailure(
                    endpoint, HTTPResponse(status: 400), to: HTTPRequest(.post, URL(filePath: "/token")),
                    .rejected(OAuthErrorResponse(error, description: description, codes: codes)),
                    at: Date(timeIntervalSince1970: 0))))
    }

    /// What the dictionary knows of an authority's error, also after a silent request.
    private static let advised: [(AuthenticationFailure, String)] = [
        (
            rejection("access_denied", "AADB2C90118: The user has forgotten their password.", at: .authorization),
            "Sign in with the password reset policy, or use a user flow that resets the password itself."
        ),
        (
            rejection("access_denied", "User is not assigned to the client application.", at: .authorization),
            "Assign the user or a group to the application."
        ),
        (
            rejection("invalid_grant", "AADSTS50105: The signed in user is not assigned.", at: .codeRedemption),
            "Ask an administrator to assign the account or its group to the application."
        ),
        (
            rejection("invalid_grant", "AADSTS53003: Blocked.", codes: [53003], at: .refresh),
            "Ask the administrator which policy applies, and quote the correlation ID."
        ),
    ]

    @Test(
        "An error of the authority has one advice: of the command, the screen and the explanation", arguments: advised)
    func oneAdvice(failure: AuthenticationFailure, advice: String) throws {
        let error = MSALAuthenticationError(failure, correlationID: nil)
        let report = Failure(reporting: error)
        #expect(report.advice.hasSuffix(advice))
        #expect(Failure(error, at: .distantPast).advice.hasSuffix(advice))
        for text in [report.text, report.json()] {
            #expect(try Self.explain(text).findings.map(\.fix) == [advice])
        }
    }

    @Test("The explanation of a printed error repeats its advice", arguments: FailureRow.oAuth)
    func sameAdvice(row: FailureRow) throws {
        let report = Failure(reporting: Self.error(row))
        let fix = try #require(Self.explain(report.text).findings.first?.fix)
        #expect(report.advice.hasSuffix(fix) || fix == Masking().text(report.advice), "\(report.text)\(fix)")
    }

    @Test("The failures of commands, which have no number")
    func commands() throws {
        let failure = Failure(.failed, name: "x", "The file is a folder.", nextStep: "Name a file.")
        for text in [Failure(reporting: failure).text, Failure(reporting: failure).json()] {
            let finding = try #require(try Self.explain(text).findings.first)
            #expect(finding.fact == "The file is a folder." && finding.fix == "Name a file.")
        }
        let mistakes = "keyturn: a.json:1: profiles: missing. Add it.\nkeyturn: a.json:2: x: unknown. Remove it.\n"
        #expect(try Self.explain(mistakes).findings.first?.fact.contains("Remove it.") == true)
    }

    @Test("Names, addresses and a server's words are hidden")
    func secrets() throws {
        let text = """
            keyturn: Another user signed in.
                     zoe@planted.example and "planted" at /home/planted/x, https://planted.example/planted. Request rejected: planted.
                     Sign in.
                     (internalErrorMismatchedUser -42101, -50000)
            """
        #expect(try !"\(Self.explain(text))".contains("planted"))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
