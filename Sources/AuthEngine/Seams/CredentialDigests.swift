/// A short form of what the records of one account say, which a store may keep and give again.
package struct DigestForm<Digest: Sendable>: Sendable {
    /// Tells this form from others. Whoever makes or writes digests in another way gives it another name.
    package let name: String
    /// Of all records of one account, in the order of their keys, and of nothing else. `nil`: there is nothing to say.
    package let make: @Sendable ([CredentialRecord]) -> Digest?
    package let encode: @Sendable ([Digest]) -> [UInt8]
    /// `nil` for bytes that ``encode`` did not write.
    package let decode: @Sendable ([UInt8]) -> [Digest]?

    package init(
        name: String, make: @escaping @Sendable ([CredentialRecord]) -> Digest?,
        encode: @escaping @Sendable ([Digest]) -> [UInt8], decode: @escaping @Sendable ([UInt8]) -> [Digest]?
    ) {
        self.name = name
        self.make = make
        self.encode = encode
        self.decode = decode
    }
}

/// The digests of all accounts, in the order of the home accounts' bytes.
package struct CredentialDigests<Digest: Sendable>: Sendable {
    /// One after the other, as the store had them: to join thousands takes longer than to go through them.
    package var parts: [[Digest]]
    /// While the store has this stamp, the digests are these.
    package var stamp: CredentialStamp?

    package init(_ parts: [[Digest]], stamp: CredentialStamp?) {
        self.parts = parts
        self.stamp = stamp
    }
}

extension CredentialStore {
    /// Makes them anew each time.
    package func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        let stamp = stamp()
        let records = try records(matching: CredentialQuery()).filter { !$0.key.homeAccountID.isEmpty }
        let byAccount = Dictionary(grouping: records, by: \.key.homeAccountID)
        let inOrder = byAccount.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return CredentialDigests([inOrder.compactMap { form.make($0.value) }], stamp: stamp)
    }
}
