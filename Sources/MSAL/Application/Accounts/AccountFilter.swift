/// The accounts that enumeration parameters select. Every value must match, ignoring case.
struct AccountFilter {
    let identifier: String?
    let tenantProfileIdentifier: String?
    let username: String?

    init(_ parameters: MSALAccountEnumerationParameters) {
        identifier = parameters.identifier?.lowercased()
        tenantProfileIdentifier = parameters.tenantProfileIdentifier?.lowercased()
        username = parameters.username?.lowercased()
    }

    var isOpen: Bool { !namesAccount && tenantProfileIdentifier == nil }

    var namesAccount: Bool { identifier != nil || username != nil }

    func matches(_ account: CachedAccount) -> Bool {
        matches(
            identifier: account.homeAccountID,
            usernames: account.profiles.flatMap { [$0.username] + $0.formerUsernames },
            tenantProfiles: account.profiles.map(\.localAccountID))
    }

    func matches(_ account: MSALAccount) -> Bool {
        matches(
            identifier: account.identifier, usernames: [account.username],
            tenantProfiles: account.tenantProfiles?.map(\.identifier) ?? [])
    }

    private func matches(identifier: String?, usernames: [String?], tenantProfiles: [String?]) -> Bool {
        (self.identifier.map { $0 == identifier?.lowercased() } ?? true)
            && (username.map { name in usernames.contains { $0?.lowercased() == name } } ?? true)
            && (tenantProfileIdentifier.map { id in tenantProfiles.contains { $0?.lowercased() == id } } ?? true)
    }
}
