/// A user in the directory.
package struct Person: Sendable, Equatable {
    /// Object identifier in the home tenant, a lower-case GUID: the `uid` of `client_info`.
    package var objectID: String
    /// The home tenant's identifier: the `utid` of `client_info`.
    package var tenantID: String
    package var username: String
    /// Not a ``Secret``: the sign-in page of the demonstration shows it to everybody.
    package var password: String
    package var name: String
    package var givenName: String
    package var familyName: String
    /// One line that says what this person is good for in a demonstration.
    package var story: String
    /// Customers are known to their own tenant only: the endpoints for several tenants do not find them.
    package var isCustomer = false
    /// Object identifiers in the tenants that invited this person as a guest, by tenant identifier.
    package var guestObjectIDs: [String: String] = [:]
    /// What this person has already agreed to, by client identifier, as ``RequestedScope/consentKey``.
    package var consents: [String: Set<String>] = [:]

    /// The `oid` claim in a tenant; `nil` where this person is neither member nor guest.
    package func objectID(in tenantID: String) -> String? {
        tenantID == self.tenantID ? objectID : guestObjectIDs[tenantID]
    }

    /// The tenant a sign-in at this selector ends in; `nil` when this person may not sign in there.
    package func tenantID(at selector: TenantSelector) -> String? {
        switch selector {
        case .anyone: isCustomer ? nil : tenantID
        case .workOrSchool: isCustomer || tenantID == Tenant.personalAccountsID ? nil : tenantID
        case .one(let tenant), .policy(let tenant, _): objectID(in: tenant.id) == nil ? nil : tenant.id
        }
    }
}
