import Locks

/// The last list of all accounts, to be given again while nothing in the store changed.
///
/// Many a program lists the accounts before each silent call. To read them takes opening several records of each, which
/// is fifty times what it takes to see that the store is as it was.
final class RememberedAccounts: Sendable {
    private struct List: Sendable {
        var accounts: [MSALAccount]
        /// Of the store before it was asked.
        var stamp: CredentialStamp
    }

    /// What is kept for it stays within some tens of megabytes.
    private static let most = 10_000
    /// By whether only those that are signed in are meant.
    private let lists = Locked<[Bool: List]>([:])

    func accounts(onlySignedIn: Bool, stamp: CredentialStamp) -> [MSALAccount]? {
        lists.withLock { lists in
            guard let list = lists[onlySignedIn], list.stamp == stamp else {
                lists[onlySignedIn] = nil
                return nil
            }
            return list.accounts
        }
    }

    func remember(_ accounts: [MSALAccount], onlySignedIn: Bool, stamp: CredentialStamp) {
        guard accounts.count <= Self.most else { return }
        lists.withLock { $0[onlySignedIn] = List(accounts: accounts, stamp: stamp) }
    }
}
