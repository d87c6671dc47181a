import MSAL

/// A claim-by-claim comparison of two tokens.
package struct ClaimsComparison: Sendable, Equatable {
    package struct Difference: Sendable, Equatable {
        package enum Kind: String, Sendable { case same, differs, onlyLeft, onlyRight }

        package var name: String
        /// Whether the claim is a header parameter.
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
        let (left, right) = (left.decoded, right.decoded)
        differences =
            Self.differences(left?.claims ?? [], right?.claims ?? [], isHeader: false)
            + Self.differences(left?.header ?? [], right?.header ?? [], isHeader: true)
    }

    private static func differences(
        _ left: [MSALTokenClaim], _ right: [MSALTokenClaim], isHeader: Bool
    ) -> [Difference] {
        let leftNames = Set(left.map(\.name))
        let byName = Dictionary(right.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return left.map { Difference(name: $0.name, isHeader: isHeader, left: $0, right: byName[$0.name]) }
            + right.filter { !leftNames.contains($0.name) }.map {
                Difference(name: $0.name, isHeader: isHeader, left: nil, right: $0)
            }
    }
}

extension ClaimsContent {
    var decoded: MSALDecodedToken? { if case .decoded(let token) = self { token } else { nil } }
}
