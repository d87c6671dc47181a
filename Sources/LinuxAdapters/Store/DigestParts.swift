/// The digests of all accounts in order: from cached chunks, and created again in the gaps.
struct DigestParts<Digest: Sendable>: Sendable {
    struct Gap: Sendable {
        var previous: String
        /// `nil` for the last gap.
        var end: String?
        var accounts: [AccountOfGap<Digest>]

        var chunks: [DigestChunk<Digest>] { DigestChunk.chunks(of: accounts, after: previous, upTo: end) }
    }

    private(set) var digests: [[Digest]] = []
    /// The gaps that contain accounts.
    private(set) var gaps: [Gap] = []
    /// The fingerprint of the rows that the digests were created from.
    private(set) var rows = RowsFingerprint()

    /// Combines chunks with the accounts in the gaps.
    ///
    /// - Parameter chunks: the cached chunks in order. Overlapping ones are ignored.
    init<Failure>(
        _ chunks: [DigestChunk<Digest>],
        reading accounts: (_ previous: String, _ end: String?) throws(Failure) -> [AccountOfGap<Digest>]
    ) throws(Failure) {
        var position = ""
        for chunk in chunks where !chunk.previous.precedes(position) && chunk.previous.precedes(chunk.last) {
            if position.precedes(chunk.previous) {
                add(Gap(previous: position, end: chunk.previous, accounts: try accounts(position, chunk.previous)))
            }
            digests.append(chunk.digests)
            rows.add(chunk.rows)
            position = chunk.last
        }
        add(Gap(previous: position, end: nil, accounts: try accounts(position, nil)))
    }

    private(set) var accountsInGaps = 0

    private mutating func add(_ gap: Gap) {
        guard !gap.accounts.isEmpty else { return }
        var found: [Digest] = []
        for account in gap.accounts {
            if let digest = account.digest { found.append(digest) }
            rows.add(account.rows)
        }
        digests.append(found)
        gaps.append(gap)
        accountsInGaps += gap.accounts.count
    }
}

extension String {
    /// Whether the text is first in the order of SQLite.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// The digests of a range of accounts: after one home account, up to and including another.
struct DigestChunk<Digest: Sendable>: Sendable {
    var previous: String
    var last: String
    var digests: [Digest]
    /// The fingerprint of all rows of the range, also of those without a digest.
    var rows: RowsFingerprint

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
            return DigestChunk(
                previous: previous, last: last, digests: part.compactMap(\.digest),
                rows: part.reduce(into: RowsFingerprint()) { $0.add($1.rows) })
        }
    }
}

/// An account outside all chunks. Its digest is `nil` when there is nothing to summarise.
struct AccountOfGap<Digest: Sendable>: Sendable {
    var homeAccountID: String
    var digest: Digest?
    var rows = RowsFingerprint()
}
