import Locks

/// The last list of all accounts, to be given again while nothing in the store changed.
///
/// Many a program lists the accounts before each silent call. To read them takes a thousand times what it takes to see
/// that the store is as it was.
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
