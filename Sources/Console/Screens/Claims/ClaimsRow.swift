import Diagnosis
import MSAL
import TerminalUI

package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(ClaimsComparison.Difference)

    /// What the claim or header parameter means, if that is known.
    var entry: ClaimDictionary.Entry? {
        switch self {
        case .verdict: nil
        case .difference(let difference) where difference.isHeader:
            ClaimDictionary.bundled.entry(forHeader: difference.name)
        case .difference(let difference): ClaimDictionary.bundled.entry(forClaim: difference.name)
        case .claim(let claim): ClaimDictionary.bundled.entry(forClaim: claim.name)
        case .header(let claim): ClaimDictionary.bundled.entry(forHeader: claim.name)
        }
    }

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

    static func sorted(_ claims: [MSALTokenClaim]) -> [MSALTokenClaim] {
        allCases.flatMap(\.names).flatMap { name in claims.filter { $0.name == name } }
            + claims.filter { ClaimGroup($0.name) == .other }
    }
}

package struct ClaimsComparison: Sendable, Equatable {
    package struct Difference: Sendable, Equatable {
        package enum Kind: Sendable, CaseIterable { case same, differs, onlyLeft, onlyRight }

        package var name: String
        package var isHeader: Bool
        package var left: MSALTokenClaim?
        package var right: MSALTokenClaim?

        package var kind: Kind {
            switch (left, right) {
            case (let left?, let right?): left == right ? .same : .differs
            case (_?, nil): .onlyLeft
            case (nil, _): .onlyRight
            }
        }
    }

    /// In the left token's order, then those of the right token only. Header parameters are last.
    package let differences: [Difference]

    /// An opaque or absent token counts as one without claims.
    package init(_ left: ClaimsContent, _ right: ClaimsContent) {
        func differences(_ path: KeyPath<MSALDecodedToken, [MSALTokenClaim]>, isHeader: Bool) -> [Difference] {
            let (left, right) = (left.decoded?[keyPath: path] ?? [], right.decoded?[keyPath: path] ?? [])
            let leftNames = Set(left.map(\.name))
            let byName = Dictionary(right.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            return left.map { Difference(name: $0.name, isHeader: isHeader, left: $0, right: byName[$0.name]) }
                + right.filter { !leftNames.contains($0.name) }
                .map { Difference(name: $0.name, isHeader: isHeader, left: nil, right: $0) }
        }
        self.differences = differences(\.claims, isHeader: false) + differences(\.header, isHeader: true)
    }
}

extension ClaimsContent {
    var decoded: MSALDecodedToken? { if case .decoded(let token) = self { token } else { nil } }
}
