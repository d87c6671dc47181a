import DemoAuthority
import Foundation
import MSAL

/// The claims and checks of a step's tokens. Never the tokens.
struct ResultReport {
    var result: MSALResult
    var now: Date

    /// Blocks of lines.
    func lines(_ display: Scenario.Step.Display) -> [String] {
        switch display {
        case .nothing: warnings
        case .everything: [ClaimsReport(result: result, now: now).text]
        case .claims(let names):
            warnings + [table("ID token", result.idToken, names), table("access token", result.accessToken, names)]
        }
    }

    /// The checks with a warning or failure.
    private var warnings: [String] {
        let notable = result.idTokenVerdicts.filter { $0.outcome == .warning || $0.outcome == .failed }
        return notable.isEmpty ? [] : [ClaimsReport.table(of: notable)]
    }

    private func table(_ title: String, _ token: String?, _ names: [String]) -> String {
        let claims = token.flatMap { MSALDecodedToken($0) }?.claims.filter { names.contains($0.name) } ?? []
        return TextTable(rows: claims.map { [title, $0.name, $0.text] }, indent: "  ").text
    }
}
