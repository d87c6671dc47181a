import KeyturnCrypto

/// The content that the tables must have, as last written by this program. Encrypted, so that others can't forge it
/// (docs/decisions/0029).
struct StoreManifest: Equatable {
    /// Incremented with each change of a record.
    var generation: Int64 = 1
    /// The number of credential rows.
    var rows: Int64 = 0
    /// The generation of each group's ``GroupManifest``, for groups with rows.
    var groups: [UInt8: Int64] = [:]

    init() {}

    /// The length of the generation, with which the bytes begin.
    static let generationLength = 8

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

/// The rows of some accounts by account and nonce. Every version of a row has its own nonce, which distinguishes
/// outdated versions.
struct GroupManifest: Equatable {
    struct Mark: Hashable {
        let account: UInt64
        let nonceHead: UInt64
        let nonceTail: UInt32

        /// Creates a mark, or returns `nil` for an invalid nonce.
        init?(_ place: AccountPlace, nonce: [UInt8]) {
            guard nonce.count == AES256GCM.nonceLength else { return nil }
            self.init(place.account, nonce[...])
        }

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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(marks.count * (8 + AES256GCM.nonceLength))
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        for mark in marks {
            append(mark.account)
            append(mark.nonceHead)
            append(mark.nonceTail)
        }
        return bytes
    }

    func marks(of place: AccountPlace) -> Set<Mark> { Set(marks.lazy.filter { $0.account == place.account }) }
}

/// A number that identifies the versions of some rows, in any order (docs/decisions/0029).
struct RowsFingerprint: Equatable {
    private(set) var sum: UInt64 = 0

    init() {}

    init(sum: UInt64) { self.sum = sum }

    mutating func add(_ other: RowsFingerprint) { sum &+= other.sum }
}

/// Computes fingerprints. Depends on the key, so that no program without it can find rows with the same fingerprint.
struct RowsFingerprinting {
    private let secret: (UInt64, UInt64)
    private let noAccount = AccountPlace("").account

    init(key: [UInt8]) {
        let digest = SHA2.sha256(Array("keyturn rows".utf8) + key)
        secret = (StoreManifest.number(digest[0..<8]), StoreManifest.number(digest[8..<16]))
    }

    func fingerprint(nonce: [UInt8]) -> RowsFingerprint {
        guard nonce.count == AES256GCM.nonceLength else { return RowsFingerprint() }
        return nonce.withUnsafeBytes { fingerprint(nonce: $0, at: 0) }
    }

    /// The fingerprint of the rows in a ``GroupManifest`` that have an account. Reads its bytes, because a long list checks
    /// every group.
    func fingerprint(group bytes: [UInt8]) -> RowsFingerprint {
        let length = 8 + AES256GCM.nonceLength
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, through: bytes.count - length, by: length).reduce(into: RowsFingerprint()) { rows, start in
                let account = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                if account != noAccount { rows.add(fingerprint(nonce: bytes, at: start + 8)) }
            }
        }
    }

    private func fingerprint(nonce bytes: UnsafeRawBufferPointer, at start: Int) -> RowsFingerprint {
        let head = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        let tail = bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)
        let product = (head ^ secret.0).multipliedFullWidth(by: UInt64(tail) ^ secret.1)
        return RowsFingerprint(sum: product.high ^ product.low)
    }
}

/// The manifest group of an account, one of 256, so that a change of one account writes little.
struct AccountPlace: Hashable {
    let group: UInt8
    let account: UInt64

    init(_ homeAccountID: String) {
        let digest = SHA2.sha256(Array(homeAccountID.utf8))
        group = digest[0]
        account = StoreManifest.number(digest[1..<9])
    }
}
