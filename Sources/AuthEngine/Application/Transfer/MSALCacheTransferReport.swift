/// What came over from another token cache, account by account. An addition of this library.
public struct MSALCacheTransferReport: Sendable, Equatable {
    /// What came of one account.
    public enum Outcome: String, Sendable, CaseIterable {
        /// It is here now.
        case imported
        /// What is here already is as new, and stays.
        case alreadyHere
        /// There was nothing in it that is of use.
        case leftOut
        /// The authority wants to see the person.
        case interactionRequired
        /// The authority or the network could not be reached.
        case unreachable
        /// It could not be brought over; ``Account/detail`` says why.
        case failed
    }

    /// One account that was found.
    public struct Account: Sendable, Equatable {
        /// As ``MSALAccount/identifier``; `nil` while it is not known.
        public let identifier: String?
        /// What it is called there.
        public let username: String?
        /// The host of the authority that issued it.
        public let environment: String
        /// What came of it.
        public let outcome: Outcome
        /// One line for a person: what came over, and what did not and why. It holds no secret.
        public let detail: String

        /// As it was found.
        public init(
            identifier: String?, username: String?, environment: String, outcome: Outcome, detail: String
        ) {
            self.identifier = identifier
            self.username = username
            self.environment = environment
            self.outcome = outcome
            self.detail = detail
        }
    }

    /// What came of each account.
    public let accounts: [Account]
    /// Entries that belong to no person, or that this library has no use for.
    public let unusedEntries: Int

    /// As it was done.
    public init(accounts: [Account], unusedEntries: Int) {
        self.accounts = accounts
        self.unusedEntries = unusedEntries
    }
}
