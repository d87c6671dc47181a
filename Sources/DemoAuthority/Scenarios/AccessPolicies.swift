/// What the authority asks of people and applications besides a password.
package struct AccessPolicies: Sendable, Equatable {
    /// Authentication contexts that need a second factor, when a client's claims ask for one.
    package var secondFactorContexts: Set<String> = ["c1"]
    /// Tenants that give tokens only to applications that protect the organisation's data as it prescribes.
    package var protectedTenants: Set<String> = []
    /// As if the password were changed between the sign-in and the first renewal: what was signed in before is worth
    /// nothing from then on.
    package var changesPasswordAtFirstRenewal = false

    package init() {}
}
