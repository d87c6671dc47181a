/// What came over from another token cache, account by account. An addition of this library.
public struct MSALCacheTransferReport: Sendable, Equatable {
    public enum Outcome: String, Sendable, CaseIterable {
        case imported
        /// What is here already is as new, and stays.
        case alreadyHere
        /// There was nothing in it that is of use.
        case leftOut
        /// The authority wants to see the person.
        case interactionRequired
        /// The authority or the network could not be reached.
        case unreachable
        case failed
    }

    public struct Account: Sendable, Equatable {
        /// As ``MSALAccount/identifier``; `nil` while it is not known.
        public let identifier: String?
        public let username: String?
        public let environment: String
        public let outcome: Outcome
        /// One line for a person: what came over, and what did not and why. It holds no secret.
        public let detail: String

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

    public let accounts: [Account]
    /// Entries that belong to no person, or that this library has no use for.
    public let unusedEntries: Int

    public init(accounts: [Account], unusedEntries: Int) {
        self.accounts = accounts
        self.unusedEntries = unusedEntries
    }
}
