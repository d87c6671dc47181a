extension TokenCache {
    /// All accounts, and the stamp that the store has while they are these.
    func listing() throws(CredentialStoreFailure) -> (accounts: AccountListing, stamp: CredentialStamp?) {
        let client = clientID.lowercased()
        let digests = try store.digests(in: AccountDigest.form(client: client))
        return (
            AccountListing(digests.parts, idTokens: StoredIDTokens(store: store, client: client)), digests.stamp
        )
    }
}
