import KeyturnCrypto

/// What the tables must contain, encrypted so that others can't forge it (docs/decisions/0029).
struct StoreManifest: Equatable {
    /// Incremented with each change of a record.
    var generation: Int64
    var rows: Int64 = 0
    /// The generation of each group's ``GroupManifest``, for groups with rows.
    var groups: [UInt8: Int64] = [:]

    init(generation: Int64 = 1) { self.generation = generation }

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

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

    static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
        guard bytes.count == MemoryLayout<Number>.size else { return 0 }
        // Fast, because a long list reads the manifest of every row.
        return bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(as: Number.self)) }
    }
}

/// The rows of some accounts by account and nonce, which differs for every version of a row.
struct GroupManifest: Equatable {
    struct Mark: Hashable {
        let account: UInt64
        let nonceHead: UInt64
        let nonceTail: UInt32

        init(_ place: AccountPlace, nonce: [UInt8]) { self.init(place.account, nonce[...]) }

        fileprivate init(_ account: UInt64, _ nonce: ArraySlice<UInt8>) {
            self.account = account
            nonceHead = StoreManifest.number(nonce.prefix(8))
            nonceTail = StoreManifest.number(nonce.dropFirst(8))
        }
    }

    var marks: [Mark] = []

    init() {}

    init?(_ bytes: [UInt8]) {
        let length = 8 + AES256GCM.nonceLength
        guard bytes.count % length == 0 else { return nil }
        marks = stride(from: 0, to: bytes.count, by: length).map { start in
            Mark(StoreManifest.number(bytes[start..<start + 8]), bytes[start + 8..<start + length])
        }
    }

    var bytes: [UInt8] {
        marks.reduce(into: []) { bytes, mark in
            bytes += StoreManifest.bytes(mark.account) + StoreManifest.bytes(mark.nonceHead)
            bytes += StoreManifest.bytes(mark.nonceTail)
        }
    }
}

/// The manifest group of an account, one of 256, so that a change of one account writes little.
struct AccountPlace {
    let group: UInt8
    let account: UInt64

    init(_ homeAccountID: String) {
        let digest = SHA2.sha256(Array(homeAccountID.utf8))
        group = digest[0]
        account = StoreManifest.number(digest[1..<9])
    }
}
