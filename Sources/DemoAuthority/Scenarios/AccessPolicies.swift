/// Requirements beyond a password, for users and applications.
package struct AccessPolicies: Sendable, Equatable {
    /// Authentication contexts that require MFA when a client's claims request them.
    package var secondFactorContexts: Set<String> = ["c1"]
    /// Tenants that issue tokens only to applications that enforce their protection policy.
    package var protectedTenants: Set<String> = []
    /// Simulates a password change between the sign-in and the first refresh, which revokes the earlier sign-in.
    package var changesPasswordAtFirstRenewal = false

    package init() {}
}
