/// An account in the broker's list (docs/upstream-behaviour.md §13).
package struct BrokerAccount: Sendable, Equatable {
    /// `<object>.<tenant>` in lower case, as in the token cache.
    package var homeAccountID: String
    package var localAccountID: String?
    package var realm: String?
    package var environment: String
    package var username: String?
    package var name: String?
    package var givenName: String?
    package var familyName: String?
    package var clientInfo: ClientInfo?
    /// The original object, because the broker expects it back with unknown members.
    package var json: JSONValue

    /// Returns `nil` when the account has no identifier, or when a part of it can't be part of a cache key.
    package init?(_ json: JSONValue) {
        func text(_ member: String) -> String? { json[member]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        self.json = json
        clientInfo = text("clientInfo").flatMap { try? ClientInfo(parsing: $0) }
        localAccountID = text("localAccountId")
        realm = text("realm")?.lowercased()
        let parts = [localAccountID, realm].compactMap(\.self)
        guard
            let identifier = text("homeAccountId") ?? clientInfo?.homeAccountID
                ?? (parts.count == 2 ? parts.joined(separator: ".") : nil)
        else { return nil }
        homeAccountID = identifier.lowercased()
        environment = text("environment")?.lowercased() ?? "login.windows.net"
        username = text("username")
        name = text("name")
        givenName = text("givenName")
        familyName = text("familyName")
        guard ![homeAccountID, localAccountID ?? "", realm ?? "", environment].contains(where: \.hasControlCharacter)
        else { return nil }
    }

    /// The home tenant from the identifier.
    package var homeTenant: String? {
        let parts = homeAccountID.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}
