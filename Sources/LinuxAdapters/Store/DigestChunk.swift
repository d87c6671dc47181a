/// The digests of a range of accounts: after one home account, up to and including another.
struct DigestChunk<Digest: Sendable>: Sendable {
    var previous: String
    var last: String
    var digests: [Digest]

    /// The maximum number of accounts: small enough to read again after a change, large enough to need few chunks.
    private static var mostAccounts: Int { 64 }

    /// Divides the accounts of a gap into adjacent chunks of similar size.
    ///
    /// - Parameter end: the start of the next chunk, or `nil`.
    static func chunks(of accounts: [AccountOfGap<Digest>], after previous: String, upTo end: String?) -> [Self] {
        let count = (accounts.count + mostAccounts - 1) / mostAccounts
        var previous = previous
        return (0..<count).compactMap { number in
            let part = accounts[number * accounts.count / count..<(number + 1) * accounts.count / count]
            guard let final = part.last?.homeAccountID else { return nil }
            let last = number == count - 1 ? end ?? final : final
            defer { previous = last }
            return DigestChunk(previous: previous, last: last, digests: part.compactMap(\.digest))
        }
    }
}

/// An account outside all chunks. Its digest is `nil` when there is nothing to summarise.
struct AccountOfGap<Digest: Sendable>: Sendable {
    var homeAccountID: String
    var digest: Digest?
}
