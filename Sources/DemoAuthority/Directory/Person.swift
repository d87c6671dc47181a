/// A user in the directory.
package struct Person: Sendable, Equatable {
    /// The object identifier in the home tenant, a lower-case GUID: the `uid` of `client_info`.
    package var objectID: String
    /// The home tenant's identifier: the `utid` of `client_info`.
    package var tenantID: String
    package var username: String
    /// The password. Not a ``Secret``, because the demo's sign-in page shows it.
    package var password: String
    package var name: String
    package var givenName: String
    package var familyName: String
    /// A line about what this user demonstrates.
    package var story: String
    /// Whether the user is a customer, whom multi-tenant endpoints don't find.
    package var isCustomer = false
    /// The object identifiers in tenants where the user is a guest, by tenant identifier.
    package var guestObjectIDs: [String: String] = [:]
    /// The user's consents by client identifier, as ``RequestedScope/consentKey``.
    package var consents: [String: Set<String>] = [:]

    /// The `oid` claim in a tenant; nil if the user is neither member nor guest.
    package func objectID(in tenantID: String) -> String? {
        tenantID == self.tenantID ? objectID : guestObjectIDs[tenantID]
    }

    /// The tenant that a sign-in at this selector leads to; nil if the user can't sign in there.
    package func tenantID(at selector: TenantSelector) -> String? {
        switch selector {
        case .anyone: isCustomer ? nil : tenantID
        case .workOrSchool: isCustomer || tenantID == Tenant.personalAccountsID ? nil : tenantID
        case .one(let tenant), .policy(let tenant, _): objectID(in: tenant.id) == nil ? nil : tenant.id
        }
    }
}
