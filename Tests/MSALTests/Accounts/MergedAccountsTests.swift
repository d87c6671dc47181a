import TestSupport
import Testing

@testable import MSAL

/// The index returns the same accounts as a comparison of all pairs.
@Suite struct MergedAccountsTests {
    @Test(arguments: 0..<200) func theIndexAgreesWithComparingAllPairs(seed: Int) {
        let random = SeededRandom(seed: UInt64(seed))
        let accounts = (0..<20).map { _ in Self.account(random) }
        #expect(described(MSALAccount.merged(accounts)) == described(Self.comparingAll(accounts)))
    }

    private static func account(_ random: SeededRandom) -> MSALAccount {
        func one<Value>(of values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let profile = MSALTenantProfile(
            identifier: "o", environment: "e", tenantId: one(of: ["t0", "t1", "t2"]), isHomeTenantProfile: false,
            claims: nil)
        return MSALAccount(
            username: one(of: [nil, "ann", "ANN", "ben", "cleo"]),
            homeAccountId: one(of: [nil, nil, "a.t", "b.t", "c.t"]).map { MSALAccountId($0) }, environment: "e",
            tenantProfiles: [profile], claims: nil)
    }

    private static func comparingAll(_ accounts: [MSALAccount]) -> [MSALAccount] {
        accounts.reduce(into: []) { merged, account in
            if let index = merged.firstIndex(of: account) {
                merged[index] = merged[index].merging(account)
            } else {
                merged.append(account)
            }
        }
    }

    private func described(_ accounts: [MSALAccount]) -> [String] {
        accounts.map { account in
            let tenants = (account.tenantProfiles ?? []).compactMap(\.tenantId).joined(separator: " ")
            return "\(account.identifier ?? "-") \(account.username ?? "-") \(tenants)"
        }
    }
}
