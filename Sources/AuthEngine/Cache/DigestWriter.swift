/// Writes the format that ``DigestReader`` reads.
struct DigestWriter {
    var bytes: [UInt8] = []

    mutating func write(_ number: Int) {
        var left = UInt(bitPattern: number)
        while left > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: left) | 0x80)
            left >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: left))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ double: Double) { write(double.bitPattern) }

    mutating func write(_ bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
