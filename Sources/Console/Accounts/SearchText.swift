/// The text that a filter looks into, made ready once: lower case, as bytes. A filter over ten thousand of them takes less
/// than a key press may.
struct SearchText: Sendable, Equatable {
    private let bytes: [UInt8]

    init(_ parts: [String]) { bytes = Array(parts.joined(separator: "\n").lowercased().utf8) }

    /// - Parameter needle: lower case.
    func contains(_ needle: [UInt8]) -> Bool {
        guard let first = needle.first else { return true }
        guard needle.count <= bytes.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for start in 0...(bytes.count - needle.count) where bytes[start] == first {
                var length = 1
                while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }
}
