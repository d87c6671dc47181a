/// A summary of the records of one account, which a store can cache.
package struct DigestForm<Digest: Sendable>: Sendable {
    /// The name of the format. Change it whenever the content or the encoding changes.
    package let name: String
    /// Creates the summary from all records of one account, those of each kind ordered by key. `nil` when there is
    /// nothing to summarise.
    package let make: @Sendable ([CredentialRecord]) -> Digest?
    /// A record that ``make`` accepts in place of an encrypted one, given the account's earlier records. `nil` when it
    /// must be decrypted.
    package var standIn: @Sendable (CredentialKey, _ earlier: [CredentialRecord]) -> CredentialRecord? = { _, _ in nil }
    package let encode: @Sendable (Digest) -> [UInt8]
    /// Decodes a summary, or returns `nil` for bytes that ``encode`` didn't produce.
    package let decode: @Sendable ([UInt8]) -> Digest?
    /// Whether to decode these bytes. Otherwise a list omits the summary, but never one that the store makes.
    package var isWanted: @Sendable (ArraySlice<UInt8>) -> Bool = { _ in true }
}

/// The summaries of all accounts, ordered by the bytes of the home account ID.
package struct CredentialDigests<Digest: Sendable>: Sendable {
    package var all: [Digest]
    /// The stamp of the store. The summaries are valid while it is unchanged.
    package var stamp: CredentialStamp?
}

extension CredentialStore {
    /// Creates the summaries without caching them.
    package func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        let stamp = stamp()
        let records = try records(matching: CredentialQuery()).filter { !$0.key.homeAccountID.isEmpty }
        let byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
        let inOrder = byAccount.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return CredentialDigests(
            all: inOrder.compactMap { form.make($0.value.sorted { $0.key < $1.key }) }, stamp: stamp)
    }
}
