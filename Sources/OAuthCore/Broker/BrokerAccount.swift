/// An account as the broker lists it (docs/upstream-behaviour.md §13).
package struct BrokerAccount: Sendable, Equatable {
    /// `<object>.<tenant>`, lower-cased, as the token cache has it.
    package var homeAccountID: String
    package var localAccountID: String?
    package var realm: String?
    package var environment: String
    package var username: String?
    package var name: String?
    package var givenName: String?
    package var familyName: String?
    package var clientInfo: ClientInfo?
    /// As it came: the broker takes back what it gave, members that nobody knows included.
    package var json: JSONValue

    /// `nil` when nothing says which account it is, or a part of it could not be part of a key.
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

    /// The home tenant, by the identifier.
    package var homeTenant: String? {
        let parts = homeAccountID.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}
