/// The texts that a filter looks into, made ready once: lower case, as bytes, one after the other. A filter over ten
/// thousand of them takes less than a key press may.
struct SearchTexts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// Where each text ends.
    private var ends: [Int] = []

    init(_ accounts: [AccountSummary] = []) {
        bytes.reserveCapacity(accounts.count * Self.usualBytes)
        ends.reserveCapacity(accounts.count)
        for account in accounts.indices {
            accounts[account].visitSearchTexts { append($0) }
            ends.append(bytes.count)
        }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices { bytes[index] = Self.lowercased(bytes[index]) }
        }
    }

    /// What most accounts do not take, so that thousands are not moved time and again.
    private static let usualBytes = 128

    /// Most texts are ASCII, which is made lower case for all of them at once.
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

    /// Those of `indices` whose text contains `needle`, which is lower case; all of them when it is empty.
    func matches(of needle: String, among indices: [Int]) -> [Int] {
        let needle = Array(needle.utf8)
        guard let first = needle.first else { return indices }
        return bytes.withUnsafeBufferPointer { bytes in
            indices.filter { index in
                var start = index == 0 ? 0 : ends[index - 1]
                let last = ends[index] - needle.count
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
