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
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    /// Reads a text that is given by its number in `shared`.
    mutating func text(of shared: [String]) throws(Malformed) -> String {
        let number = try number()
        guard number < shared.count else { throw Malformed() }
        return shared[number]
    }

    mutating func double() throws(Malformed) -> Double {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
        let value = Double(bitPattern: bits)
        guard value.isFinite else { throw Malformed() }
        return value
    }

    /// Throws if bytes are left.
    func end() throws(Malformed) {
        guard position == bytes.count else { throw Malformed() }
    }
}
