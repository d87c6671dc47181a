import KeyturnSystem

/// The last list of all accounts, valid while the store is unchanged.
///
/// Many programs list the accounts before each silent request. Comparing stamps is a thousand times faster than reading
/// the accounts.
final class RememberedAccounts: Sendable {
    private struct Remembered: Sendable {
        var listing: AccountListing
        var stamp: CredentialStamp
    }

    private let last = Locked<Remembered?>(nil)

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
}
