import DemoAuthority
import Foundation
import MSAL

/// What a scenario shows of the tokens that a step gave. Never the tokens themselves.
struct ResultReport {
    var result: MSALResult
    var now: Date

    /// Blocks of text, each of whole lines.
    func lines(_ display: Scenario.Step.Display) -> [String] {
        switch display {
        case .nothing: warnings
        case .everything: [ClaimsReport(result: result, now: now).text]
        case .claims(let names):
            warnings + [table("ID token", result.idToken, names), table("access token", result.accessToken, names)]
        }
    }

    /// Rules that were not simply met are always worth a line.
    private var warnings: [String] {
        let notable = result.idTokenVerdicts.filter { $0.outcome == .warning || $0.outcome == .failed }
        return notable.isEmpty ? [] : [ClaimsReport.table(of: notable)]
    }

    private func table(_ title: String, _ token: String?, _ names: [String]) -> String {
        let claims = token.flatMap { MSALDecodedToken($0) }?.claims.filter { names.contains($0.name) } ?? []
        return TextTable(rows: claims.map { [title, $0.name, $0.text] }, indent: "  ").text
    }
}
