/// The texts that a filter looks into, made ready once: lower case, as bytes, one after the other. A filter over ten
/// thousand of them takes less than a key press may.
struct SearchTexts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// Where each text ends.
    private var ends: [Int] = []

    init(_ texts: [[String]] = []) {
        for parts in texts {
            bytes += parts.joined(separator: "\n").lowercased().utf8
            ends.append(bytes.count)
        }
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
