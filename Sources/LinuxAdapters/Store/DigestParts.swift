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
            position = chunk.last
        }
        add(Gap(previous: position, end: nil, accounts: try accounts(position, nil)))
    }

    private(set) var accountsInGaps = 0

    private mutating func add(_ gap: Gap) {
        guard !gap.accounts.isEmpty else { return }
        var found: [Digest] = []
        for account in gap.accounts { if let digest = account.digest { found.append(digest) } }
        digests.append(found)
        gaps.append(gap)
        accountsInGaps += gap.accounts.count
    }
}

extension String {
    /// Whether the text is first in the order of SQLite.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
