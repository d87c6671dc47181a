/// What is known of a client's place in a family: clients that may use each other's refresh tokens
/// (docs/upstream-behaviour.md §4.7).
package enum FamilyMembership: Sendable, Equatable {
    case unknown
    case outside
    case member(of: String)

    /// The only family there is so far, hence the one to try while nothing is known.
    package static let first = "1"

    /// The family whose refresh token the client may try.
    package var familyID: String? {
        switch self {
        case .unknown: Self.first
        case .outside: nil
        case .member(let family): family
        }
    }
}
