import Foundation
import OAuthCore

/// A directory for the tests of other programs gets what a program names: tenants, user flows, resources and scopes.
extension Directory {
    /// Makes a tenant known, by its identifier or domain, and a user flow of it. The first unknown tenant takes the place of Contoso,
    /// so that its employees are members there. In others they are guests.
    /// - Parameters:
    ///   - isForCustomers: whether every user has an account there, as in a tenant where users register themselves.
    ///   - identifier: for a tenant that is named by its domain.
    mutating func adopt(_ name: String, policy: String?, isForCustomers: Bool, identifier: String, replacesHome: Bool) {
        let name = name.lowercased()
        if !tenants.contains(where: { $0.isNamed(name) }) {
            if replacesHome, home == nil, let index = tenants.firstIndex(where: { $0.id == Self.contoso }) {
                rename(index, to: name)
            } else {
                add(Tenant(id: name.isGUID ? name : identifier, name: name, domains: [name]))
            }
        }
        guard let index = tenants.firstIndex(where: { $0.isNamed(name) }) else { return }
        if let policy = policy?.lowercased(), !tenants[index].policies.contains(policy) {
            tenants[index].policies.append(policy)
        }
        if isForCustomers || policy != nil { invite(users.map(\.objectID), to: tenants[index].id) }
    }

    private mutating func rename(_ index: Int, to name: String) {
        home = name
        guard name.isGUID else {
            tenants[index].domains.append(name)
            return
        }
        let former = tenants[index].id
        tenants[index].id = name
        for user in users.indices {
            if users[user].tenantID == former { users[user].tenantID = name }
            if let guest = users[user].guestObjectIDs.removeValue(forKey: former) {
                users[user].guestObjectIDs[name] = guest
            }
        }
    }

    /// Adds a tenant with all employees of other tenants as guests.
    private mutating func add(_ tenant: Tenant) {
        tenants.append(tenant)
        invite(users.filter { !$0.isCustomer }.map(\.objectID), to: tenant.id)
    }

    /// Makes users guests of a tenant that they aren't members of. A guest keeps the object identifier.
    package mutating func invite(_ objectIDs: [String], to tenantID: String) {
        for index in users.indices
        where objectIDs.contains(users[index].objectID) && users[index].objectID(in: tenantID) == nil {
            users[index].guestObjectIDs[tenantID] = users[index].objectID
        }
    }

    package mutating func addTenant(_ id: String, domain: String, guests: [String]) {
        tenants.append(Tenant(id: id, name: domain, domains: [domain.lowercased()]))
        invite(guests.compactMap { user(named: $0)?.objectID }, to: id)
    }

    /// Adds a user with an account in a tenant, by default the first one.
    package mutating func addUser(_ id: String, username: String, name: String, tenantID: String?) -> User {
        let names = name.split(separator: " ", maxSplits: 1).map(String.init)
        let user = User(
            objectID: id, tenantID: tenantID?.lowercased() ?? tenants.first?.id ?? "", username: username, password: id,
            name: name, givenName: names.first ?? name, familyName: names.last ?? name, story: "")
        users.append(user)
        return user
    }

    /// Adds the resources and scopes of a request that aren't known. A resource with a fixed list gets no others.
    mutating func admit(scopes text: String) {
        for word in text.split(separator: " ").map(String.init) where !RequestedScope.openIDNames.contains(word) {
            guard let (identifier, name) = parts(of: word) else { continue }
            if !resources.contains(where: { $0.identifier == identifier }) {
                resources.append(ProtectedResource(identifier: identifier, name: identifier, scopes: []))
            }
            guard let index = resources.firstIndex(where: { $0.identifier == identifier }),
                !resources[index].isFixed
            else { continue }
            if name != ".default" {
                resources[index].add(name)
            } else if resources[index].scopes.isEmpty {
                // The usual name of an API's only scope.
                resources[index].add("user_impersonation")
            }
        }
    }

    /// A scope without a resource is the first one's.
    private func parts(of word: String) -> (resource: String, name: String)? {
        let known = resources.map(\.identifier).filter { word.hasPrefix("\($0)/") }.max { $0.count < $1.count }
        if let known { return (known, String(word.dropFirst(known.count).drop { $0 == "/" })) }
        guard let slash = word.lastIndex(of: "/") else { return resources.first.map { ($0.identifier, word) } }
        return (String(word[..<slash]), String(word[word.index(after: slash)...]))
    }

    /// Adds a resource with a fixed list of scopes, or gives a known one such a list.
    package mutating func fix(_ identifier: String, scopes: [String]) {
        var resource = ProtectedResource(identifier: identifier, name: identifier, scopes: [])
        for name in scopes { resource.add(name) }
        resource.isFixed = true
        if let index = resources.firstIndex(where: { $0.identifier == identifier }) {
            resources[index] = resource
        } else {
            resources.append(resource)
        }
    }
}

extension Tenant {
    func isNamed(_ name: String) -> Bool { id == name || domains.contains(name) }
}

extension ProtectedResource {
    fileprivate mutating func add(_ name: String) {
        guard scope(named: name) == nil else { return }
        scopes.append(Scope(name: name, title: name, explanation: ""))
    }
}

extension String {
    /// Of GUIDs, the letter case doesn't count.
    var clientID: String { isGUID ? lowercased() : self }

    fileprivate var isGUID: Bool {
        let lengths = split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        return lengths == [8, 4, 4, 4, 12] && allSatisfy { $0 == "-" || $0.isHexDigit }
    }
}

/// An authority for the tests of other programs, which is at every host that a program names.
extension DemoAuthority {
    /// Prepares for a request: the authority has its host, knows its tenant, and its scopes exist.
    package mutating func admit(_ request: HTTPRequest) {
        origin = request.url.origin
        let parameters = Parameters(queryOf: request.url.absoluteString)
        let route = Route(request.url)
        if route?.endpoint == .instanceDiscovery {
            if let url = parameters["authorization_endpoint"].flatMap(URL.init(string:)) { admit(authority: url) }
        } else if let tenant = route?.tenant {
            adopt(tenant.split(separator: "/").map(String.init), at: request.url)
        }
        let body = request.method == .post ? String(decoding: request.body, as: UTF8.self) : ""
        let form = Parameters(formEncoded: body)
        for scope in [parameters["scope"], form["scope"]].compactMap(\.self) { directory.admit(scopes: scope) }
    }

    package mutating func admit(authority url: URL) {
        let segments = url.path().split(separator: "/").map(String.init)
        guard let first = segments.first else { return }
        let isOfPolicy = first.lowercased() == "tfp"
        adopt(isOfPolicy ? Array(segments.prefix(3)) : segments.count == 2 ? segments : [first], at: url)
    }

    private mutating func adopt(_ segments: [String], at url: URL) {
        let names = segments.first?.lowercased() == "tfp" ? Array(segments.dropFirst()) : segments
        guard let tenant = names.first, directory.selector(for: segments.joined(separator: "/")) == nil else { return }
        directory.adopt(
            tenant, policy: names.count > 1 ? names[1] : nil, isForCustomers: url.microsoftService == .ciam,
            identifier: identifier(), replacesHome: !hasIssuedTokens)
    }
}
