import Foundation

/// Who and what the authority knows. A value: a test, or a scenario, can bring its own.
package struct Directory: Sendable, Equatable {
    package var tenants: [Tenant]
    package var people: [Person]
    package var clients: [RegisteredClient]
    /// The first one is meant when a scope is written without its resource.
    package var resources: [ProtectedResource]

    /// Reads the first path segment of an endpoint: a special name, a GUID or a domain, in any case.
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

    /// A tenant and one of its user flows, as two segments.
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

    /// A client that is not there yet may ask for what the first one may.
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

    /// Usernames are compared without regard to case or to blanks around them, as people type them.
    package func person(named username: String) -> Person? {
        let wanted = username.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        return people.first { $0.username.lowercased() == wanted }
    }

    package func people(at selector: TenantSelector) -> [Person] {
        people.filter { $0.tenantID(at: selector) != nil }
    }
}
