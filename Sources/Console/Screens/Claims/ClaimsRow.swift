import MSAL

/// A row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(ClaimsComparison.Difference)

    var copyable: CopiedText {
        switch self {
        case .verdict(let verdict):
            CopiedText("the check", fileName: "check.txt", "\(verdict.rule): \(verdict.explanation)")
        case .claim(let claim), .header(let claim):
            CopiedText("the value of \(claim.name)", fileName: "claim.txt", claim.text)
        case .difference(let difference):
            CopiedText(
                "both values of \(difference.name)", fileName: "claim.txt",
                [difference.left, difference.right].map { $0?.text ?? "" }.joined(separator: "\n"))
        }
    }
}
