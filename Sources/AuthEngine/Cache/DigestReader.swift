/// Reads numbers and texts from untrusted bytes.
struct DigestReader {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number of at most four bytes; no valid number is larger.
    mutating func number() throws(Malformed) -> Int {
        var number = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            let byte = try byte()
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Malformed()
    }

    mutating func text() throws(Malformed) -> String {
        let count = try number()
        guard count <= bytes.count - position else { throw Malformed() }
        defer { position += count }
        // Ten times faster than decoding a slice.
        return bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<position + count]), as: UTF8.self)
        }
    }

    /// Reads an element that is given by its number in `shared`.
    mutating func element<Element>(of shared: [Element]) throws(Malformed) -> Element {
        let number = try number()
        guard number < shared.count else { throw Malformed() }
        return shared[number]
    }

    mutating func double() throws(Malformed) -> Double {
        let value = Double(bitPattern: try bits())
        guard value.isFinite else { throw Malformed() }
        return value
    }

    /// Reads 64 bits.
    mutating func bits() throws(Malformed) -> UInt64 {
        guard bytes.count - position >= 8 else { throw Malformed() }
        defer { position += 8 }
        return bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
    }

    /// Throws if bytes are left.
    func end() throws(Malformed) {
        guard position == bytes.count else { throw Malformed() }
    }
}
