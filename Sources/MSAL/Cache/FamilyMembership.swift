/// A client's membership in a family of clients that can use each other's refresh tokens (docs/upstream-behaviour.md
/// §4.7).
package enum FamilyMembership: Sendable, Equatable {
    case unknown
    case outside
    case member(of: String)

    /// The only family so far, which a client with unknown membership tries.
    package static let first = "1"

    /// The family whose refresh token the client can try.
    package var familyID: String? {
        switch self {
        case .unknown: Self.first
        case .outside: nil
        case .member(let family): family
        }
    }
}
