/// The result of importing another token cache, by account. Not in MSAL for iOS and macOS.
public struct MSALCacheTransferReport: Sendable, Equatable {
    /// The outcome for one account.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The account was imported.
        case imported
        /// The cache already has the account, with entries at least as new.
        case alreadyCached
        /// The account has no usable entries.
        case skipped
        /// The user has to sign in.
        case interactionRequired
        /// The authority or the network is unreachable.
        case unreachable
        /// The import failed; ``Account/detail`` has the reason.
        case failed
    }

    /// An account in the imported cache.
    public struct Account: Sendable, Equatable {
        /// The identifier, as in ``MSALAccount/identifier``, or `nil` when it is unknown.
        public let identifier: String?
        /// The username in the imported cache.
        public let username: String?
        /// The host of the authority that issued the account.
        public let environment: String
        /// The outcome of the import.
        public let outcome: Outcome
        /// What was imported and what was not, in one line. Contains no secret.
        public let detail: String

        /// Creates an entry.
        public init(identifier: String?, username: String?, environment: String, outcome: Outcome, detail: String) {
            (self.identifier, self.username, self.environment) = (identifier, username, environment)
            (self.outcome, self.detail) = (outcome, detail)
        }
    }

    /// The outcome for each account.
    public let accounts: [Account]
    /// The number of entries without an account, or of unsupported types.
    public let unusedEntries: Int

    /// Creates a report.
    public init(accounts: [Account], unusedEntries: Int) {
        self.accounts = accounts
        self.unusedEntries = unusedEntries
    }
}
