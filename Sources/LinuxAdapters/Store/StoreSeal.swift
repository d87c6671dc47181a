import KeyturnCrypto

/// The content that the tables must have, as this program last wrote it. It is sealed, so nothing else can write one
/// (docs/decisions/0029).
struct StoreSeal: Equatable {
    /// Grows with each change of a record.
    var generation: Int64 = 1
    /// Number of rows in the table of credentials.
    var rows: Int64 = 0
    /// For each group of accounts that has rows, the generation in which its ``GroupSeal`` was written.
    var groups: [UInt8: Int64] = [:]

    init() {}

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16, (bytes.count - 16) % 9 == 0 else { return nil }
        generation = Self.number(bytes[0..<8])
        rows = Self.number(bytes[8..<16])
        for start in stride(from: 16, to: bytes.count, by: 9) {
            groups[bytes[start]] = Self.number(bytes[start + 1..<start + 9])
        }
    }

    var bytes: [UInt8] {
        groups.sorted { $0.key < $1.key }.reduce(into: Self.bytes(generation) + Self.bytes(rows)) { bytes, group in
            bytes.append(group.key)
            bytes += Self.bytes(group.value)
        }
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
        bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}

/// The rows of some accounts, each by its account and its nonce: every writing of a row has a nonce of its own, so an
/// older writing of the same row is told from the newest.
struct GroupSeal: Equatable {
    struct Mark: Hashable {
        let account: UInt64
        let nonceStart: UInt64
        let nonceEnd: UInt32

        /// `nil`: this is no nonce.
        init?(_ place: AccountPlace, nonce: [UInt8]) {
            guard nonce.count == AES256GCM.nonceLength else { return nil }
            self.init(place.account, nonce[...])
        }

        fileprivate init(_ account: UInt64, _ nonce: ArraySlice<UInt8>) {
            self.account = account
            nonceStart = StoreSeal.number(nonce.prefix(8))
            nonceEnd = StoreSeal.number(nonce.dropFirst(8))
        }
    }

    var marks: [Mark] = []

    init() {}

    init?(_ bytes: [UInt8]) {
        let length = 8 + AES256GCM.nonceLength
        guard bytes.count % length == 0 else { return nil }
        marks = stride(from: 0, to: bytes.count, by: length).map { start in
            Mark(StoreSeal.number(bytes[start..<start + 8]), bytes[start + 8..<start + length])
        }
    }

    var bytes: [UInt8] {
        marks.flatMap { StoreSeal.bytes($0.account) + StoreSeal.bytes($0.nonceStart) + StoreSeal.bytes($0.nonceEnd) }
    }

    func marks(of place: AccountPlace) -> Set<Mark> { Set(marks.lazy.filter { $0.account == place.account }) }
}

/// Where the rows of an account are sealed: in one of 256 groups, so that a change of one account among many writes
/// little.
struct AccountPlace: Hashable {
    let group: UInt8
    let account: UInt64

    init(_ homeAccountID: String) {
        let digest = SHA2.sha256(Array(homeAccountID.utf8))
        group = digest[0]
        account = StoreSeal.number(digest[1..<9])
    }
}
