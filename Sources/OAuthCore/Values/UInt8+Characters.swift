extension UInt8 {
    package var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether URLs have the character as it is (RFC 3986 §2.3).
    var isUnreserved: Bool { isASCIILetter || isDigit || "-._~".utf8.contains(self) }
}
