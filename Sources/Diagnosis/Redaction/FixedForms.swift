import MSAL

/// The times and GUIDs of a text, which have a fixed form. Found by their first hyphen in one pass.
struct FixedForms {
    struct Piece {
        let range: Range<Int>
        let isTime: Bool
    }

    /// In order, without overlaps.
    private(set) var pieces: [Piece] = []

    init(in bytes: [UInt8]) {
        var end = 0
        for hyphen in bytes.indices where bytes[hyphen] == UInt8(ascii: "-") && !Task.isCancelled {
            guard
                let piece = Self.times.lazy.compactMap({ Self.piece($0, 4, before: hyphen, in: bytes) }).first
                    ?? Self.piece(Self.identifier, 8, before: hyphen, in: bytes), piece.range.lowerBound >= end
            else { continue }
            pieces.append(piece)
            end = piece.range.upperBound
        }
    }

    /// `F` is a hexadecimal digit, `T` a blank or T, and a digit is itself or a smaller one.
    private static let times = ["9999-19-39T99:59:59", "9999-19-39T9:59:59"].map { Array($0.utf8) }
    private static let identifier = Array("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF".utf8)

    private static func piece(_ form: [UInt8], _ offset: Int, before hyphen: Int, in bytes: [UInt8]) -> Piece? {
        let range = hyphen - offset..<hyphen - offset + form.count
        guard range.lowerBound >= 0, range.upperBound <= bytes.count,
            zip(form, bytes[range]).allSatisfy({ fits($1, $0) }),
            range.lowerBound == 0 || !bytes[range.lowerBound - 1].isWordCharacter,
            range.upperBound == bytes.count || !bytes[range.upperBound].isWordCharacter
        else { return nil }
        return Piece(range: range, isTime: offset == 4)
    }

    private static func fits(_ byte: UInt8, _ sign: UInt8) -> Bool {
        switch sign {
        case UInt8(ascii: "F"): Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
        case UInt8(ascii: "T"): byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ")
        case _ where sign.isDigit: byte.isDigit && byte <= sign
        default: byte == sign
        }
    }
}
