import Foundation
import OAuthCore

extension MSALAccount {
    /// Creates an account with the current values of another store's account.
    convenience init(external account: any MSALAccountProtocol) {
        self.init(
            username: account.username,
            homeAccountId: account.homeAccountId ?? account.identifier.map { MSALAccountId($0) },
            environment: account.environment, tenantProfiles: account.tenantProfiles,
            claims: account.accountClaims.flatMap { JSONValue(foundationObject: $0)?.object }.map(ProfileClaims.read),
            isSSOAccount: account.isSSOAccount)
    }

    /// Merges the same account of two stores. This one has priority; the other adds missing tenants.
    func merging(_ other: MSALAccount) -> MSALAccount {
        let own = tenantProfiles ?? []
        let known = Set(own.map { $0.tenantId?.lowercased() })
        let added = (other.tenantProfiles ?? []).filter { !known.contains($0.tenantId?.lowercased()) }
        guard !added.isEmpty || other.isSSOAccount != isSSOAccount else { return self }
        return MSALAccount(
            username: username ?? other.username, homeAccountId: homeAccountId ?? other.homeAccountId,
            environment: environment, tenantProfiles: own + added,
            claims: claimValues ?? other.claimValues, name: recordedName ?? other.recordedName,
            isSSOAccount: isSSOAccount || other.isSSOAccount)
    }

    /// Merges equal accounts, in the order of their first occurrence.
    static func merged(_ accounts: [MSALAccount]) -> [MSALAccount] {
        accounts.reduce(into: MergedAccounts()) { $0.add($1) }.accounts
    }
}
