import Foundation

package struct Directory: Sendable, Equatable {
    package var tenants: [Tenant]
    package var users: [User]
    package var clients: [RegisteredClient]
    /// The resources. Scopes without a resource refer to the first one.
    package var resources: [ProtectedResource]
    /// The name of the tenant that has taken the place of Contoso.
    var home: String?

    /// Parses the first path segment of an endpoint: a special name, a GUID or a domain, in any letter case.
    package func selector(for segment: String) -> TenantSelector? {
        let wanted = segment.lowercased()
        let parts = wanted.split(separator: "/")
        if parts.count > 1 { return policySelector(parts.drop { $0 == "tfp" }) }
        switch wanted {
        case "common": return .anyone
        case "organizations": return .workOrSchool
        case "consumers": return tenant(withID: Tenant.personalAccountsID).map { .one($0) }
        default: return tenants.first { $0.isNamed(wanted) }.map { .one($0) }
        }
    }

    private func policySelector(_ parts: ArraySlice<Substring>) -> TenantSelector? {
        guard parts.count == 2, let place = parts.first.map(String.init), let policy = parts.last.map(String.init),
            let tenant = tenants.first(where: { $0.isNamed(place) }), tenant.policies.contains(policy)
        else { return nil }
        return .policy(tenant, name: policy)
    }

    package func tenant(withID id: String) -> Tenant? { tenants.first { $0.id == id } }

    package func client(withID id: String) -> RegisteredClient? { clients.first { $0.id == id.clientID } }

    func knownClient(_ id: String) throws(AuthorityError) -> RegisteredClient {
        guard let client = client(withID: id) else {
            throw AuthorityError(.unknownClient, detail: "Client ID: \(quoted(id)).")
        }
        return client
    }

    package func user(withID objectID: String) -> User? { users.first { $0.objectID == objectID } }

    /// Registers a client with the first one's permissions, or adds a redirect URI to a registered client.
    mutating func register(clientID: String, redirectURI: String) {
        let id = clientID.clientID
        if let index = clients.firstIndex(where: { $0.id == id }) {
            if !clients[index].redirectURIs.contains(redirectURI) { clients[index].redirectURIs.append(redirectURI) }
        } else {
            let scopes = clients.first?.staticScopes ?? []
            clients.append(RegisteredClient(id: id, name: clientID, redirectURIs: [redirectURI], staticScopes: scopes))
        }
    }

    package func users(at selector: TenantSelector) -> [User] { users.filter { $0.tenantID(at: selector) != nil } }

    /// Ignores letter case and surrounding spaces.
    package func user(named username: String) -> User? {
        let wanted = username.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        return users.first { $0.username.lowercased() == wanted }
    }
}

/// An API that access tokens are for.
package struct ProtectedResource: Sendable, Equatable {
    package struct Scope: Sendable, Equatable {
        package var name: String
        /// As on the consent page.
        package var title: String
        package var explanation: String
    }

    /// The `aud` of its access tokens, and the prefix of its full scope names.
    package var identifier: String
    package var name: String
    package var scopes: [Scope]
    /// Whether requests add no scopes (``Directory/admit(scopes:)``).
    var isFixed = false

    func scope(named name: some StringProtocol) -> Scope? {
        scopes.first { $0.name.lowercased() == name.lowercased() }
    }
}

/// A public client without a secret (RFC 6749 §2.1).
package struct RegisteredClient: Sendable, Equatable {
    package var id: String
    package var name: String
    package var redirectURIs: [String]
    /// The scopes that `/.default` represents before any consent, as names of the default resource.
    package var staticScopes: [String]
    package var familyID: String?
}

package struct User: Sendable, Equatable {
    /// The object identifier in the home tenant, a lower-case GUID: the `uid` of `client_info`.
    package var objectID: String
    /// The home tenant's identifier: the `utid` of `client_info`.
    package var tenantID: String
    package var username: String
    /// Not a ``Secret``, because the demo's sign-in page shows it.
    package var password: String
    package var name: String
    package var givenName: String
    package var familyName: String
    package var story: String
    /// Whether the user is a customer, whom multi-tenant endpoints don't find.
    package var isCustomer = false
    /// As in the tokens' `roles` and `groups`.
    package var roles: [String] = []
    package var groups: [String] = []
    /// The object identifiers in tenants where the user is a guest, by tenant identifier.
    package var guestObjectIDs: [String: String] = [:]
    /// The user's consents by client identifier, as ``RequestedScope/consentKey``.
    package var consents: [String: Set<String>] = [:]

    /// The `oid` claim in a tenant; nil if the user is neither member nor guest.
    package func objectID(in tenantID: String) -> String? {
        tenantID == self.tenantID ? objectID : guestObjectIDs[tenantID]
    }

    /// Nil if the user can't sign in there.
    package func tenantID(at selector: TenantSelector) -> String? {
        switch selector {
        case .anyone: isCustomer ? nil : tenantID
        case .workOrSchool: isCustomer || tenantID == Tenant.personalAccountsID ? nil : tenantID
        case .one(let tenant), .policy(let tenant, _): objectID(in: tenant.id) == nil ? nil : tenant.id
        }
    }
}
