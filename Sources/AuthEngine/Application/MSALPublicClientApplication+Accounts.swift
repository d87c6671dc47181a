import Foundation

extension MSALPublicClientApplication {
    /// Every account that is signed in to this application. Reads the cache; no network.
    public func allAccounts() throws -> [MSALAccount] {
        try accounts(for: MSALAccountEnumerationParameters())
    }

    /// The account with this ``MSALAccount/identifier``. Throws when there is none.
    public func account(forIdentifier identifier: String) throws -> MSALAccount {
        try first(of: MSALAccountEnumerationParameters(identifier: identifier), named: identifier)
    }

    /// The account with this user name. Throws when there is none.
    public func account(forUsername username: String) throws -> MSALAccount {
        try first(of: MSALAccountEnumerationParameters(identifier: nil, username: username), named: username)
    }

    /// The accounts for which every given member matches, without regard to case.
    public func accounts(for parameters: MSALAccountEnumerationParameters) throws -> [MSALAccount] {
        try Self.translatingErrors(nil) {
            try TokenCache(store: dependencies.credentials, clientID: settings.clientID)
                .accounts(onlySignedIn: parameters.returnOnlySignedInAccounts)
                .filter { AccountFilter(parameters).matches($0) }
                .map { MSALAccount($0, includesProfiles: true) }
        }
    }

    /// Takes an account away from this application: its tokens are deleted, and the next token needs the person again.
    ///
    /// Other applications' tokens and the browser's own session stay (seed document "migrate to MSAL").
    public func remove(_ account: MSALAccount) throws {
        try Self.translatingErrors(nil) {
            guard let identifier = account.identifier, !identifier.isEmpty else {
                throw AuthenticationFailure.accountMissing
            }
            try TokenCache(store: dependencies.credentials, clientID: settings.clientID)
                .remove(homeAccountID: identifier)
        }
    }

    private func first(of parameters: MSALAccountEnumerationParameters, named name: String) throws -> MSALAccount {
        guard !name.isEmpty else {
            throw MSALAuthenticationError(
                .invalidParameter("The account's name or identifier is empty."), correlationID: nil)
        }
        guard let account = try accounts(for: parameters).first else {
            throw MSALAuthenticationError(.accountNotFound(name), correlationID: nil)
        }
        return account
    }
}

/// Which accounts enumeration parameters mean.
private struct AccountFilter {
    let identifier: String?
    let tenantProfileIdentifier: String?
    let username: String?

    init(_ parameters: MSALAccountEnumerationParameters) {
        identifier = parameters.identifier?.lowercased()
        tenantProfileIdentifier = parameters.tenantProfileIdentifier?.lowercased()
        username = parameters.username?.lowercased()
    }

    func matches(_ account: CachedAccount) -> Bool {
        (identifier.map { $0 == account.homeAccountID.lowercased() } ?? true)
            && (username.map { name in account.profiles.contains { $0.username?.lowercased() == name } } ?? true)
            && (tenantProfileIdentifier.map { id in
                account.profiles.contains { $0.localAccountID?.lowercased() == id }
            } ?? true)
    }
}
