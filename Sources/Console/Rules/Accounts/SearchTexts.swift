/// An index for filtering: the lowercase texts as bytes, one after the other. Filters ten thousand accounts per key
/// press without delay.
struct SearchTexts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// The end offset of each text.
    private var bounds: [Int] = []

    init(_ accounts: [AccountSummary] = []) {
        bytes.reserveCapacity(accounts.count * Self.usualBytes)
        bounds.reserveCapacity(accounts.count)
        for account in accounts.indices {
            accounts[account].visitSearchTexts { append($0) }
            bounds.append(bytes.count)
        }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices { bytes[index] = Self.lowercased(bytes[index]) }
        }
    }

    /// The capacity to reserve per account; most need less.
    private static let usualBytes = 128

    /// Appends a text. ASCII, the common case, is lowercased later, all at once.
    private mutating func append(_ text: String) {
        let isASCII =
            text.utf8.withContiguousStorageIfAvailable { utf8 in
                guard utf8.reduce(0, |) < 0x80 else { return false }
                bytes.append(contentsOf: utf8)
                return true
            } ?? false
        if !isASCII { bytes += text.lowercased().utf8 }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The `indices` whose text contains `needle`, which must be lower case. An empty needle matches all.
    func matches(of needle: String, among indices: [Int]) -> [Int] {
        let needle = Array(needle.utf8)
        guard let first = needle.first else { return indices }
        return bytes.withUnsafeBufferPointer { bytes in
            indices.filter { index in
                var start = index == 0 ? 0 : bounds[index - 1]
                let last = bounds[index] - needle.count
                while start <= last {
                    if bytes[start] == first, Self.begins(bytes, at: start, with: needle) { return true }
                    start += 1
                }
                return false
            }
        }
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, with needle: [UInt8]) -> Bool {
        for offset in needle.indices where bytes[start + offset] != needle[offset] { return false }
        return true
    }
}
