/// The result of ``MSALPublicClientApplication/removeRemains()``. Not in MSAL for iOS and macOS.
public struct MSALRemovedRemains: Sendable, Equatable {
    /// The number of accounts that still had tokens of this application.
    public let accounts: Int
    /// The number of damaged records that were set aside.
    public let damagedRecords: Int
    /// The paths of damaged cache files that were set aside.
    public let setAsideFiles: [String]

    /// Creates a result.
    public init(accounts: Int, damagedRecords: Int, setAsideFiles: [String]) {
        self.accounts = accounts
        self.damagedRecords = damagedRecords
        self.setAsideFiles = setAsideFiles
    }
}
