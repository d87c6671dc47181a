import Locks

/// The last list of all accounts and the last search, valid while the store is unchanged.
///
/// Many programs list the accounts before each silent request. Comparing stamps is a thousand times faster than reading
/// the accounts.
final class RememberedAccounts: Sendable {
    private struct Remembered: Sendable {
        var listing: AccountListing
        var stamp: CredentialStamp
    }

    private let last = Locked<Remembered?>(nil)
    private let lastSearch = Locked<AccountSearch?>(nil)

    func listing(stamp: CredentialStamp) -> AccountListing? {
        last.withLock { last in
            guard let known = last, known.stamp == stamp else {
                last = nil
                return nil
            }
            return known.listing
        }
    }

    func remember(_ listing: AccountListing, stamp: CredentialStamp) {
        last.withLock { $0 = Remembered(listing: listing, stamp: stamp) }
    }

    func search(_ name: String, stamp: CredentialStamp) -> AccountSearch? {
        lastSearch.withLock { $0 }.flatMap { $0.name == name && $0.stamp == stamp ? $0 : nil }
    }

    func remember(_ search: AccountSearch) { lastSearch.withLock { $0 = search } }
}
