import Diagnosis
import Foundation
import MSAL
import TerminalUI

extension ClaimsState {
    func lines(_ context: Context) -> [String] {
        let about =
            ["\(tab.title)\(comparison.map { " compared with \($0.title)" } ?? "")."]
            + (tab == .pasted ? [] : origin(context))
        if comparison != nil { return about + rowLines(context) }
        guard case .decoded(let token) = token else {
            return about
                + ClaimsView(state: self, context: context).unreadableLines(width: 1000).map {
                    $0.spans.map(\.text).joined()
                }
        }
        if showsJSON {
            return about + ["Header:"] + token.headerJSON.split(separator: "\n").map(String.init) + ["Claims:"]
                + token.claimsJSON.split(separator: "\n").map(String.init)
        }
        return about + [doneChecks].filter { !$0.isEmpty } + rowLines(context)
    }

    /// The checks that need no attention, counted.
    private var doneChecks: String {
        let counts = [(MSALIDTokenVerdict.Outcome.passed, "passed"), (.skipped, "not needed")].map { outcome, word in
            (verdicts.count { $0.outcome == outcome }, word)
        }
        let words = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return words.isEmpty || showsChecks ? "" : "Checks: \(words.joined(separator: ", "))."
    }

    /// The tokens' account, source, scopes and expiry.
    private func origin(_ context: Context) -> [String] {
        guard let acquisition else { return [] }
        let expiry = acquisition.expiresOn.map { date in
            "The access token expires \(context.now.map { Moment.relative(date, to: $0) } ?? "") (\(Moment.utc(date)))."
        }
        return [
            "For \(acquisition.account.displayName).",
            acquisition.isFromCache ? "From the cache." : "From \(acquisition.authority).",
            "Scopes: \(acquisition.scopes.joined(separator: " "))", expiry,
        ].compactMap(\.self)
    }

    func label(_ row: ClaimsRow, _ context: Context) -> String { Self.line(row, by: context.now) }
    func rowLabels(_ context: Context) -> [String] { showsJSON ? [] : rows.map { label($0, context) } }

    /// One row of a token, name first, because screen reader users listen for the name.
    static func line(_ row: ClaimsRow, by now: Date?) -> String {
        switch row {
        case .verdict(let verdict): "\(verdict.rule) check: \(verdict.outcome.rawValue). \(verdict.explanation)"
        case .claim(let claim): line(claim, row.entry?.meaning, by: now)
        case .header(let claim): "Header " + line(claim, row.entry?.meaning, by: now)
        case .difference(let difference):
            "\(difference.name): \(value(difference.left)); other token: \(value(difference.right))."
        }
    }

    private static func value(_ claim: MSALTokenClaim?) -> String {
        claim.map { $0.text.isEmpty ? "empty" : $0.text } ?? "none"
    }

    private static func line(_ claim: MSALTokenClaim, _ meaning: String?, by now: Date?) -> String {
        let times = claim.date.map { date in
            ", "
                + [Moment.utc(date), now.map { Moment.relative(date, to: $0) }].compactMap(\.self)
                .joined(separator: ", ")
        }
        return "\(claim.name): \(claim.text)\(times ?? "").\(meaning.map { " \($0)" } ?? "")"
    }
}
