/// Digests of all accounts of a range: behind one home account, up to and with another, in the store's order.
struct DigestChunk<Digest: Sendable>: Sendable {
    var previous: String
    var last: String
    var digests: [Digest]

    /// Neither so many that a change of one makes much to read again, nor so few that there are many chunks.
    private static var mostAccounts: Int { 64 }

    /// The accounts of a gap in chunks of about the same size, which leave nothing between them.
    ///
    /// - Parameter end: where the next chunk begins; `nil`: there is none.
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

/// An account that no chunk covers. It has no digest when there is nothing to say of it.
struct AccountOfGap<Digest: Sendable>: Sendable {
    var homeAccountID: String
    var digest: Digest?
}
