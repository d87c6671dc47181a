import Console
import Foundation
import MSAL
import TerminalUI

/// What `claims` and the tour say of a token: the verdicts, then every claim.
struct ClaimsReport {
    var result: MSALResult
    var now: Date

    var text: String {
        var sections = [
            TextTable(rows: [["Account", result.account.username ?? result.account.identifier ?? ""]]).text
        ]
        if result.idTokenVerdicts.isEmpty {
            sections.append("No verdicts: the ID token was verified when it came, and the keys are not at hand now.\n")
        } else {
            sections.append("Verdicts on the ID token\n" + Self.table(of: result.idTokenVerdicts))
        }
        if let token = idToken { sections.append("Claims of the ID token\n" + table(of: token.claims)) }
        if let token = accessToken { sections.append("Claims of the access token\n" + table(of: token.claims)) }
        return sections.joined(separator: "\n")
    }

    /// `nil` for an access token that only its resource can read.
    private var accessToken: MSALDecodedToken? { MSALDecodedToken(result.accessToken) }
    private var idToken: MSALDecodedToken? { result.idToken.flatMap { MSALDecodedToken($0) } }

    static func table(of verdicts: [MSALIDTokenVerdict]) -> String {
        TextTable(rows: verdicts.map { [word(for: $0.outcome), $0.rule, $0.explanation] }, indent: "  ").text
    }

    private func table(of claims: [MSALTokenClaim]) -> String {
        TextTable(rows: claims.map { [$0.name, value(of: $0)] }, indent: "  ").text
    }

    private func value(of claim: MSALTokenClaim) -> String {
        guard let date = claim.date else { return claim.text }
        return "\(claim.text) = \(Moment.utc(date)), \(Moment.relative(date, to: now))"
    }

    private static func word(for outcome: MSALIDTokenVerdict.Outcome) -> String {
        switch outcome {
        case .met: "met"
        case .failed: "FAILED"
        case .warned: "warning"
        case .notChecked: "not checked"
        }
    }

    /// The same for a program. The tokens' claims stand there as the authority wrote them.
    func json() throws -> String {
        var document: [String: Any] = ["account": try object(AccountDocument(result.account))]
        document["verdicts"] = result.idTokenVerdicts.map {
            ["rule": $0.rule, "outcome": $0.outcome.rawValue, "explanation": $0.explanation]
        }
        if let idToken { document["idToken"] = try object(idToken) }
        if let accessToken { document["accessToken"] = try object(accessToken) }
        let data = try JSONSerialization.data(
            withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        return JSONText.text(of: data)
    }

    private func object(_ token: MSALDecodedToken) throws -> Any {
        ["header": try object(token.headerJSON), "claims": try object(token.claimsJSON)]
    }

    private func object(_ json: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.utf8))
    }

    private func object(_ value: some Encodable) throws -> Any { try object(JSONText.line(value)) }
}
