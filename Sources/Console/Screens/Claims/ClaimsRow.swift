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

    /// The group of a claim; nil for other rows.
    var group: ClaimGroup? { if case .claim(let claim) = self { ClaimGroup(claim.name) } else { nil } }

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

/// What claims are about, in the order of the list.
enum ClaimGroup: String, CaseIterable {
    case who = "Who", audience = "For", issuer = "From", time = "When", method = "How", other = "Other"

    init(_ claim: String) { self = Self.allCases.first { $0.names.contains(claim) } ?? .other }

    /// The names of its claims, in the order of the list.
    private var names: [String] {
        switch self {
        case .who:
            ["name", "preferred_username", "upn", "unique_name", "email", "given_name", "family_name", "tid"]
        case .audience: ["aud", "azp", "appid", "client_id", "scp", "scope", "roles", "groups"]
        case .issuer: ["iss", "idp"]
        case .time: ["exp", "iat", "nbf", "auth_time"]
        case .method: ["amr", "acr", "acrs", "azpacr", "appidacr"]
        case .other: []
        }
    }

    /// The claims by group, otherwise in the token's order.
    static func sorted(_ claims: [MSALTokenClaim]) -> [MSALTokenClaim] {
        allCases.flatMap { group in
            group.names.flatMap { name in claims.filter { $0.name == name } }
        } + claims.filter { ClaimGroup($0.name) == .other }
    }
}
