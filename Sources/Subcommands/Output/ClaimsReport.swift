import Console
import Diagnosis
import Foundation
import JSON
import MSAL
import TerminalUI

struct ClaimsReport {
    /// The account of the tokens; `nil` for a token from standard input.
    private var account: (shown: MSALAccount, json: JSONValue)?
    var verdicts: [MSALIDTokenVerdict]?
    /// Why the signature couldn't be checked again.
    var obstacle: String?
    var idToken: MSALDecodedToken?
    /// The access token; `nil` if not shown or only its resource can read it.
    var accessToken: MSALDecodedToken?
    var token: MSALDecodedToken?
    var now: Date

    init(result: MSALResult, showsIDToken: Bool = true, now: Date) {
        account = (result.account, result.accountJSON)
        self.now = now
        if showsIDToken {
            verdicts = result.idTokenVerdicts
            idToken = result.idToken.flatMap { MSALDecodedToken($0) }
        }
        accessToken = MSALDecodedToken(result.accessToken)
    }

    init(_ stored: MSALStoredIDToken, of account: MSALAccount, now: Date) {
        self.account = (account, account.json())
        verdicts = stored.verdicts
        idToken = MSALDecodedToken(stored.idToken)
        self.now = now
    }

    init(token: MSALDecodedToken, now: Date) {
        self.token = token
        self.now = now
    }

    func text(_ look: OutputLook) -> String {
        var sections: [String] = []
        if let account = account?.shown {
            sections.append(TextTable(rows: [["Account", account.username ?? account.identifier ?? ""]]).text)
        }
        if let verdicts { sections.append(text(of: verdicts, look) + (obstacle.map { look.hang($0) } ?? "")) }
        if let idToken { sections.append("Claims of the ID token\n" + table(of: idToken.claims, look)) }
        if let accessToken { sections.append("Claims of the access token\n" + table(of: accessToken.claims, look)) }
        if let token {
            sections.append("Header\n" + table(of: token.header, look))
            sections.append("Claims\(verdicts == nil ? " (not verified)" : "")\n" + table(of: token.claims, look))
        }
        return sections.joined(separator: "\n")
    }

    /// Whether the signature was checked, and no check failed.
    var isVerified: Bool { !lacksKeys && verdicts.map { !$0.contains { $0.outcome == .failed } } ?? false }

    var lacksKeys: Bool {
        guard let verdicts else { return false }
        return verdicts.isEmpty || verdicts.contains { $0.rule == "Signature" && $0.outcome == .skipped }
    }

    private func text(of verdicts: [MSALIDTokenVerdict], _ look: OutputLook) -> String {
        guard !verdicts.isEmpty else {
            return look.hang("No checks: the ID token was verified on arrival, and the keys are no longer cached.")
        }
        let table = FindingTable(findings: verdicts.failedFirst.map { CheckFinding($0) }, collapsesSpaces: true)
        return "Checks of the \(token == nil ? "ID token" : "token")\n" + table.text(look)
    }

    private func table(of claims: [MSALTokenClaim], _ look: OutputLook) -> String {
        TextTable(rows: claims.map { [$0.name, value(of: $0)] }, indent: "  ").text(columns: look.columns)
    }

    private func value(of claim: MSALTokenClaim) -> String {
        guard let date = claim.date else { return claim.text }
        return "\(claim.text) = \(Moment.utc(date)), \(Moment.relative(date, to: now))"
    }

    /// The JSON document. Contains the tokens' claims as the authority wrote them.
    var json: String {
        JSONValue(members: [
            "account": account?.json, "verdicts": verdicts.map { .array($0.map(Self.json)) },
            "idToken": idToken.map(Self.json), "accessToken": accessToken.map(Self.json), "token": token.map(Self.json),
        ])
        // Empty lists and objects have no blank line here.
        .document.replacing("\n\n", with: "\n")
    }

    private static func json(of token: MSALDecodedToken) -> JSONValue {
        JSONValue(members: [
            "header": try? JSONValue(parsing: token.headerJSON), "claims": try? JSONValue(parsing: token.claimsJSON),
        ])
    }

    private static func json(of verdict: MSALIDTokenVerdict) -> JSONValue {
        [
            "rule": .string(verdict.rule), "outcome": .string(verdict.outcome.rawValue),
            "explanation": .string(verdict.explanation),
        ]
    }
}
