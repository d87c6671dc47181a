import Diagnosis
import MSAL
import TerminalUI

/// A row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(ClaimsComparison.Difference)

    /// What the row's claim or header parameter means; nil for a check and for an unknown name.
    var entry: ClaimDictionary.Entry? {
        switch self {
        case .verdict: nil
        case .claim(let claim): ClaimDictionary.bundled.entry(forClaim: claim.name)
        case .header(let claim): ClaimDictionary.bundled.entry(forHeader: claim.name)
        case .difference(let difference):
            difference.isHeader
                ? ClaimDictionary.bundled.entry(forHeader: difference.name)
                : ClaimDictionary.bundled.entry(forClaim: difference.name)
        }
    }

    var copyable: CopiedText {
        switch self {
        case .verdict(let verdict):
            CopiedText(
                "the check", fileName: "check.txt", Printable.sanitize("\(verdict.rule): \(verdict.explanation)"))
        case .claim(let claim), .header(let claim):
            CopiedText("the value of \(claim.name)", fileName: "claim.txt", Printable.sanitize(claim.text))
        case .difference(let difference):
            CopiedText(
                "both values of \(difference.name)", fileName: "claim.txt",
                [difference.left, difference.right].map { Printable.sanitize($0?.text ?? "") }.joined(separator: "\n"))
        }
    }
}
