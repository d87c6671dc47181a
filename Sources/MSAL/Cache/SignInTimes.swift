import Foundation
import OAuthCore

/// The times of an account's sign-in, in the client's account metadata, which outlives the tokens.
extension CredentialRecord {
    private static let (signInMember, maximumAgeMember) = ("signed_in_on", "maximum_age")
    private static let inactivityMember = "maximum_inactivity"

    /// When the user signed in. `nil` if it is unknown, such as after an import.
    var signedInOn: Date? { date(Self.signInMember) }

    mutating func noteSignIn(at date: Date) { members[Self.signInMember] = .seconds(date) }

    /// Keeps what a rejection of a refresh token says about the account's sign-ins.
    mutating func note(_ lifetime: StatedLifetime) {
        let isAge = lifetime.basis == .maximumAge
        members[isAge ? Self.maximumAgeMember : Self.inactivityMember] = .string(String(lifetime.seconds))
        // The browser's session can be older than this program's sign-in.
        if isAge { noteSignIn(at: lifetime.issuedOn) }
    }

    /// Forgets a lifetime that a refresh has outlived: a policy can change, or concern one API only.
    mutating func forget(_ basis: MSALSignInExpiry.Basis) {
        switch basis {
        case .stated: break
        case .maximumAge: members[Self.maximumAgeMember] = .null
        case .inactivity: members[Self.inactivityMember] = .null
        }
    }

    fileprivate func expiry(_ basis: MSALSignInExpiry.Basis, _ start: Date?, _ member: String) -> MSALSignInExpiry? {
        guard let start, let seconds = members[member]?.double,
            1...Double(TokenResponse.maximumLifetime) ~= seconds
        else { return nil }
        return MSALSignInExpiry(date: start.addingTimeInterval(seconds), countedFrom: start, basis: basis)
    }

    fileprivate func lifetimes(_ token: CachedRefreshToken) -> [MSALSignInExpiry] {
        [
            expiry(.maximumAge, signedInOn, Self.maximumAgeMember),
            expiry(.inactivity, token.writtenAt, Self.inactivityMember),
        ].compactMap(\.self)
    }
}

extension MSALSignInExpiry {
    /// The earliest time that the authority stated with the refresh token or in a rejection of an earlier one.
    ///
    /// - Parameter metadata: the client's account metadata.
    init?(of token: CachedRefreshToken, _ metadata: CredentialRecord?) {
        let stated = token.expiresOn.map { MSALSignInExpiry(date: $0, countedFrom: token.writtenAt, basis: .stated) }
        let all = (metadata?.lifetimes(token) ?? []) + [stated].compactMap(\.self)
        guard let first = all.min(by: { $0.date < $1.date }) else { return nil }
        self = first
    }
}
