import KeyturnSystem

/// The last list of accounts, valid while the store is unchanged.
///
/// Many programs list the accounts before each silent request. Comparing stamps is a thousand times faster than reading
/// the accounts.
final class RememberedAccounts: Sendable {
    struct Remembered: Sendable {
        var listing: AccountListing
        /// The name that the accounts mention; `nil` if the list has all accounts.
        var name: String?
        fileprivate var stamp: CredentialStamp
    }

    private let remembered = Locked<Remembered?>(nil)

    /// The last list, if the store still has this stamp.
    func last(stamp: CredentialStamp) -> Remembered? {
        remembered.withLock { remembered in
            if remembered?.stamp != stamp { remembered = nil }
            return remembered
        }
    }

    func remember(_ listing: AccountListing, mentioning name: String?, stamp: CredentialStamp) {
        remembered.withLock { $0 = Remembered(listing: listing, name: name, stamp: stamp) }
    }
}
