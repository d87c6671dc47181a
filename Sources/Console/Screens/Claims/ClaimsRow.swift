import MSAL

/// A row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(TokenComparison.Difference)

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

extension Destination {
    /// The claims of an acquisition, to be compared with the account's previous one.
    /// - Parameter isRefresh: whether the claims replace those of a claims screen beneath.
    static func claims(_ acquisition: Acquisition, _ flow: EffectID, isRefresh: Bool) -> Destination {
        Destination { context in
            let previous = context.acquisitions.updateValue(acquisition, forKey: acquisition.account.identifier)
            let state = ClaimsState(acquisition, previous: previous, flow: flow)
            return Opening(state, merging: isRefresh ? { state.merged(into: $0) } : nil)
        }
    }

    /// - Parameter text: the token, to verify with its issuer's keys unless the program is offline.
    static func pastedToken(_ token: PastedToken, _ text: String) -> Destination {
        Destination { context in
            let id = context.isOffline ? nil : context.makeEffectID()
            let state = ClaimsState(pasted: token, verifying: id)
            return Opening(state, id.map { [.verify($0, text, context.profile)] } ?? [], merging: state.merged(into:))
        }
    }
}
