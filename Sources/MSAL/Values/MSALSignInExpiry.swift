import Foundation

/// When a sign-in ends at the latest: no refresh works after that. An administrator can end it earlier. Not in MSAL for iOS
/// and macOS.
public struct MSALSignInExpiry: Sendable, Equatable {
    /// Why the time is known.
    public enum Basis: String, Sendable, CaseIterable {
        /// The authority stated it with the refresh token.
        case stated
        /// The authority rejected an earlier sign-in of the account for its age (AADSTS70043).
        case maximumAge
        /// The authority rejected an earlier refresh token that nobody had used for a time (AADSTS700082). Each refresh moves
        /// the expiry.
        case inactivity
    }

    /// When the sign-in ends at the latest.
    public let date: Date
    /// The sign-in, or the last refresh: when the lifetime began.
    public let countedFrom: Date
    /// Why the time is known.
    public let basis: Basis

    /// Creates an expiry.
    public init(date: Date, countedFrom: Date, basis: Basis) {
        (self.date, self.countedFrom, self.basis) = (date, countedFrom, basis)
    }

    /// `nil` if the clock was set back since, so that nothing can be said.
    func ifCounted(by now: Date) -> MSALSignInExpiry? { countedFrom <= now ? self : nil }
}
