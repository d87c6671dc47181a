import Diagnosis
import Foundation
import JSON
import MSAL
import TerminalUI

/// The details of the selected row: the full value, its meaning, its dates.
extension ClaimsView {
    func details(_ row: ClaimsRow, width: Int) -> [StyledLine] {
        switch row {
        case .verdict(let verdict):
            return [
                StyledLine([
                    Span(verdict.rule, Style(.text, .bold)),
                    Span(
                        "  \(verdict.outcome.mark(context.glyphs)) \(verdict.outcome.rawValue)", verdict.outcome.style),
                ])
            ] + StyledLine.wrap(verdict.explanation, to: width - 2)
        case .claim(let claim), .header(let claim):
            return head(claim.name, row.entry, width: width) + value(claim, width: width - 2)
                + meaningsOfValues(claim, width: width - 2)
        case .difference(let difference):
            return head(difference.name, row.entry, width: width) + sides(difference, width: width)
        }
    }

    private func sides(_ difference: ClaimsComparison.Difference, width: Int) -> [StyledLine] {
        [(state.tab, difference.left), (state.comparison ?? state.tab, difference.right)].flatMap { tab, claim in
            [StyledLine("\(tab.title):", .muted)]
                + (claim.map { value($0, width: width - 2) } ?? [StyledLine("no such claim", .muted)])
        }
    }

    private func head(_ name: String, _ entry: ClaimDictionary.Entry?, width: Int) -> [StyledLine] {
        let title = StyledLine([
            Span(Printable.sanitize(name), Style(.accent, .bold)), Span(entry.map { "  \($0.source)" } ?? "", .muted),
        ])
        let meaning = entry?.meaning ?? "Unknown claim: not in OpenID or Microsoft documentation."
        return [title] + StyledLine.wrap(meaning, to: width - 2, style: .muted)
    }

    /// The meanings of a claim's known values, such as `pwd` in `amr` and `1` in `acct`.
    private func meaningsOfValues(_ claim: MSALTokenClaim, width: Int) -> [StyledLine] {
        let known = claim.words.compactMap { word in
            ClaimDictionary.bundled.meaning(ofValue: word, in: claim.name).map { (name: word, value: Optional($0)) }
        }
        return StyledLine.facts(known, width: width, glyphs: context.glyphs)
    }

    private func value(_ claim: MSALTokenClaim, width: Int) -> [StyledLine] {
        guard let date = claim.date else { return StyledLine.wrap(Printable.sanitize(claim.text), to: width) }
        let relative = context.now.map { Moment.relative(date, to: $0) }
        let local = "\(Moment.local(date, in: context.options.timeZone)) local"
        return StyledLine.wrap(
            [Moment.utc(date), local, relative].compactMap { $0 }.joined(separator: ", "), to: width)
    }
}

extension MSALTokenClaim {
    /// The elements of a JSON array, or the words of a string.
    fileprivate var words: [String] {
        (try? JSONValue(parsing: text))?.strings ?? text.split(separator: " ").map(String.init)
    }
}
