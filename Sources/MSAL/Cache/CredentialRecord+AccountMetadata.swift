import Foundation
import OAuthCore

/// What one client records about an account besides tokens.
extension CredentialRecord {
    package enum SignInState: String, Sendable {
        case signedIn = "signed_in"
        case signedOut = "signed_out"
    }

    package static func accountMetadata(
        homeAccountID: String, clientID: String, signInState: SignInState, realms: [String: String] = [:]
    ) -> CredentialRecord {
        CredentialRecord(
            CredentialKey(.accountMetadata, homeAccountID: homeAccountID, client: clientID.lowercased()),
            [
                "client_id": .string(clientID), "home_account_id": .string(homeAccountID),
                "sign_in_state": .string(signInState.rawValue),
                "authority_map": .object(realms.mapValues(JSONValue.string)),
            ])
    }

    package var signInState: SignInState? {
        guard key.kind == .accountMetadata else { return nil }
        return members["sign_in_state"]?.string.flatMap(SignInState.init)
    }

    /// The realm of this account's tokens, by the URL of the authority. A domain name or an issuer doesn't reveal the
    /// tenant, and cached tokens must be found without a request (docs/upstream-behaviour.md §2.2).
    package var realms: [String: String] { members["authority_map"]?.object?.compactMapValues(\.string) ?? [:] }
}

extension [CredentialRecord] {
    /// A client's metadata of the account with these records.
    package func metadata(client: String) -> CredentialRecord? {
        first { $0.key.client == client && $0.signInState != nil }
    }

    /// The URLs of the authorities where the account with these records has signed in, with any client.
    package var authorities: [String] { Set(lazy.filter { $0.signInState != nil }.flatMap(\.realms.keys)).sorted() }
}

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
    init?(of token: CachedRefreshToken, _ metadata: CredentialRecord?) {
        let stated = token.expiresOn.map { MSALSignInExpiry(date: $0, countedFrom: token.writtenAt, basis: .stated) }
        let all = (metadata?.lifetimes(token) ?? []) + [stated].compactMap(\.self)
        guard let first = all.min(by: { $0.date < $1.date }) else { return nil }
        self = first
    }
}
