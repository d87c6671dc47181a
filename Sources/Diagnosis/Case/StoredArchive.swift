/// A ZIP archive without compression (PKWARE APPNOTE 6.3.3, method 0): the same files give the same bytes.
struct StoredArchive {
    let bytes: [UInt8]

    /// - Parameter files: at most 65535, of together less than 4 GiB.
    init(_ files: [(name: String, content: [UInt8])]) {
        var (local, central) = ([UInt8](), [UInt8]())
        for (name, content) in files {
            let name = Array(name.utf8)
            let shared =
                // Version 2.0, names in UTF-8, stored, 1 January 1980.
                Self.number(20, 2) + Self.number(0x0800, 2) + Self.number(0, 2) + Self.number(0, 2)
                + Self.number(0x21, 2)
                + Self.number(Self.checksum(content), 4) + Self.number(UInt32(content.count), 4)
                + Self.number(UInt32(content.count), 4) + Self.number(UInt32(name.count), 2) + Self.number(0, 2)
            central += Self.number(0x0201_4b50, 4) + Self.number(0x0314, 2) + shared
            // No comment, first disk; a regular file for its owner only.
            central += Self.number(0, 2) + Self.number(0, 2) + Self.number(0, 2) + Self.number(0o100600 << 16, 4)
            central += Self.number(UInt32(local.count), 4) + name
            local += Self.number(0x0403_4b50, 4) + shared + name + content
        }
        let count = Self.number(UInt32(files.count), 2)
        bytes =
            local + central + Self.number(0x0605_4b50, 4) + Self.number(0, 4) + count + count
            + Self.number(UInt32(central.count), 4) + Self.number(UInt32(local.count), 4) + Self.number(0, 2)
    }

    /// The first file of an archive as written here, and its name; nil for another one.
    static func first(of bytes: [UInt8]) -> (name: String, content: [UInt8])? {
        func number(at offset: Int, _ length: Int) -> Int {
            bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let header = 30
        // No bit of the flags but that of names in UTF-8, and no compression.
        guard bytes.count > header, number(at: 0, 4) == 0x0403_4b50, number(at: 6, 2) == 0x0800, number(at: 8, 2) == 0
        else { return nil }
        let (start, size) = (header + number(at: 26, 2) + number(at: 28, 2), number(at: 18, 4))
        guard bytes.count - start >= size else { return nil }
        let content = Array(bytes[start..<start + size])
        guard checksum(content) == UInt32(number(at: 14, 4)) else { return nil }
        return (String(decoding: bytes[header..<header + number(at: 26, 2)], as: UTF8.self), content)
    }

    /// Little-endian.
    private static func number(_ value: UInt32, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// CRC-32 (ITU-T V.42).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
}
