import Foundation

/// The authority's tenants, users, clients and resources. Tests and scenarios can have their own.
package struct Directory: Sendable, Equatable {
    package var tenants: [Tenant]
    package var people: [Person]
    package var clients: [RegisteredClient]
    /// The resources. Scopes without a resource refer to the first one.
    package var resources: [ProtectedResource]

    /// Parses the first path segment of an endpoint: a special name, a GUID or a domain, in any letter case.
    package func selector(for segment: String) -> TenantSelector? {
        let wanted = segment.lowercased()
        let parts = wanted.split(separator: "/")
        if parts.count > 1 { return policySelector(parts.drop { $0 == "tfp" }) }
        switch wanted {
        case "common": return .anyone
        case "organizations": return .workOrSchool
        case "consumers": return tenant(withID: Tenant.personalAccountsID).map { .one($0) }
        default: return tenants.first { $0.id == wanted || $0.domains.contains(wanted) }.map { .one($0) }
        }
    }

    /// Parses two segments: a tenant and one of its user flows.
    private func policySelector(_ parts: ArraySlice<Substring>) -> TenantSelector? {
        guard parts.count == 2, let place = parts.first, let policy = parts.last,
            let tenant = tenants.first(where: { $0.id == place || $0.domains.contains(String(place)) }),
            tenant.policies.contains(String(policy))
        else { return nil }
        return .policy(tenant, name: String(policy))
    }

    package func tenant(withID id: String) -> Tenant? {
        tenants.first { $0.id == id }
    }

    package func client(withID id: String) -> RegisteredClient? {
        clients.first { $0.id == id.lowercased() }
    }

    /// Registers a client with the first one's permissions, or adds a redirect URI to a registered client.
    mutating func register(clientID: String, redirectURI: String) {
        let id = clientID.lowercased()
        if let index = clients.firstIndex(where: { $0.id == id }) {
            if !clients[index].redirectURIs.contains(redirectURI) { clients[index].redirectURIs.append(redirectURI) }
        } else {
            clients.append(
                RegisteredClient(
                    id: id, name: clientID, redirectURIs: [redirectURI], staticScopes: clients.first?.staticScopes ?? []
                ))
        }
    }

    package func person(withID objectID: String) -> Person? {
        people.first { $0.objectID == objectID }
    }

    /// Finds a user. Ignores letter case and surrounding spaces.
    package func person(named username: String) -> Person? {
        let wanted = username.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        return people.first { $0.username.lowercased() == wanted }
    }

    package func people(at selector: TenantSelector) -> [Person] {
        people.filter { $0.tenantID(at: selector) != nil }
    }
}
