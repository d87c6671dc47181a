import Foundation
import MSAL

/// The times and GUIDs of a text, which have a fixed form. Found at the starts of words in one pass.
struct FixedForms {
    struct Piece {
        let range: Range<Int>
        let isTime: Bool
    }

    /// In order, without overlaps.
    private(set) var pieces: [Piece] = []

    init(in bytes: [UInt8]) {
        var end = 0
        for start in bytes.indices where start >= end {
            if start & 0xFFF == 0, Task.isCancelled { return }
            guard Self.isStart(start, in: bytes), let piece = Self.piece(at: start, in: bytes) else { continue }
            pieces.append(piece)
            end = piece.range.upperBound
        }
    }

    static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Self(in: bytes).pieces.first.map { $0.isTime && $0.range == bytes.indices } ?? false
    }

    private static func isStart(_ index: Int, in bytes: [UInt8]) -> Bool {
        let byte = bytes[index]
        // A GUID, the name of a day or month, or a letter of klog.
        let isLetter = (65...90).contains(byte) || (97...102).contains(byte)
        guard byte.isDigit || isLetter else { return false }
        guard index > 0 else { return true }
        // Python escapes the end of a line before a member.
        let follows = bytes[index - 1]
        let isEscape = index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && "rnt".utf8.contains(follows)
        return !follows.isWordCharacter || isEscape
    }

    /// In a form, `f` is a hexadecimal digit, `t` a blank or T, `l` the letter of klog's level, `m` the name of a month, `w` that
    /// of a day, and a digit is itself or a smaller one. A date alone isn't one: it can be that of a birth.
    private static let times = [
        "9999-19-39t99:59:59", "9999-19-39t9:59:59", "9999/19/39 99:59:59", "39/m/9999:99:59:59",
        "39/19/9999 99:59:59", "19/39/9999 99:59:59", "9/39/9999 9:59:59", "9/9/9999 9:59:59", "w, 39 m 9999 99:59:59",
        "w, 39-m-9999 99:59:59", "w m 39 99:59:59", "m 39 99:59:59", "39 m 9999 99:59:59", "l1939 99:59:59",
        "19-39 99:59:59", "99:59:59",
    ].map { Array($0.utf8) }
    private static let longestWithoutYear = "19-39 99:59:59".utf8.count
    private static let identifier = Array("ffffffff-ffff-ffff-ffff-ffffffffffff".utf8)

    private static func piece(at start: Int, in bytes: [UInt8]) -> Piece? {
        if let end = end(of: identifier, from: start, in: bytes), isBoundary(end, in: bytes) {
            return Piece(range: start..<end, isTime: false)
        }
        for form in times {
            guard let whole = end(of: form, from: start, in: bytes) else { continue }
            let time = afterFraction(whole, in: bytes)
            let zone = zones.lazy.compactMap { self.end(of: $0, from: time, in: bytes) }.first {
                isBoundary($0, in: bytes)
            }
            let end = zone ?? time
            if form.count <= longestWithoutYear, isPart(start..<end, in: bytes) { continue }
            if isBoundary(end, in: bytes) { return Piece(range: start..<end, isTime: true) }
        }
        return nil
    }

    private static func isBoundary(_ end: Int, in bytes: [UInt8]) -> Bool {
        end == bytes.count || !bytes[end].isWordCharacter
    }

    /// Whether a time without a day can be a part of an address, of a version or of an invalid time.
    private static func isPart(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let before = range.lowerBound > 1 && ":-.@".utf8.contains(bytes[range.lowerBound - 1])
        let after = range.upperBound + 1 < bytes.count && ":-@".utf8.contains(bytes[range.upperBound])
        return before || after && bytes[range.upperBound + 1].isWordCharacter
    }

    private static func afterFraction(_ end: Int, in bytes: [UInt8]) -> Int {
        guard end < bytes.count, ".,".utf8.contains(bytes[end]) else { return end }
        let digits = bytes[(end + 1)...].prefix { $0.isDigit }
        return (1...9).contains(digits.count) ? digits.endIndex : end
    }

    private static let zones = [
        "Z", " UTC", " GMT", " AM", " PM", "+99:99", "-99:99", "+9999", "-9999", " +9999", " -9999",
    ].map { Array($0.utf8) }

    private static func end(of form: [UInt8], from start: Int, in bytes: [UInt8]) -> Int? {
        var index = start
        for sign in form {
            let names = names(sign)
            let length = names.isEmpty ? 1 : 3
            guard index + length <= bytes.count else { return nil }
            if names.isEmpty ? !fits(bytes[index], sign) : !names.contains(Array(bytes[index..<index + length])) {
                return nil
            }
            index += length
        }
        return index
    }

    private static func names(_ sign: UInt8) -> Set<[UInt8]> {
        switch sign {
        case UInt8(ascii: "m"): months
        case UInt8(ascii: "w"): days
        default: []
        }
    }

    private static let months = Set(
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ").map { Array($0.utf8) })
    private static let days = Set("Mon Tue Wed Thu Fri Sat Sun".split(separator: " ").map { Array($0.utf8) })

    private static func fits(_ byte: UInt8, _ sign: UInt8) -> Bool {
        switch sign {
        case UInt8(ascii: "f"): Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
        case UInt8(ascii: "t"): byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ")
        case UInt8(ascii: "l"): "IWEF".utf8.contains(byte)
        case _ where sign.isDigit: byte.isDigit && byte <= sign
        default: byte == sign
        }
    }
}
