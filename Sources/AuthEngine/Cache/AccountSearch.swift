/// The home account IDs of the accounts with a name, ignoring case.
package struct AccountSearch: Sendable {
    let name: String
    /// The stamp of the store. The result is valid while it is unchanged.
    let stamp: CredentialStamp?
    /// The accounts with this identifier.
    private(set) var spelled: Set<String> = []
    /// The accounts with this current or earlier username.
    private(set) var named: Set<String> = []

    init(_ name: String, in digests: CredentialDigests<AccountDigest>) {
        self.name = name
        stamp = digests.stamp
        let identifier = name.lowercased()
        for digest in digests.parts.joined() {
            guard let person = digest.person else { continue }
            if digest.homeAccountID.lowercased() == identifier { spelled.insert(digest.homeAccountID) }
            if person.answers(to: name) { named.insert(digest.homeAccountID) }
        }
    }
}
