import Foundation

/// The background of a terminal, if it's dark or light enough for ``ColorTheme``.
package enum TerminalBackground: Sendable, Hashable {
    case dark, light

    /// Asks for the colour (xterm's OSC 11), then for the kind of terminal (DA1), which each one answers. So the colour has
    /// come by then, or doesn't come.
    package static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// `COLORFGBG` of rxvt and others: the numbers of the colours of text and background.
    package init?(environment: String?) {
        guard let number = environment?.split(separator: ";").last.flatMap({ Int($0) }), 0..<16 ~= number else {
            return nil
        }
        self = number == 7 || number > 8 ? .light : .dark
    }

    /// An answer without its start and end: `11;rgb:` and three hexadecimal numbers of one to four digits.
    init?(answer: ArraySlice<UInt8>) {
        let parts = String(decoding: answer, as: UTF8.self).split(separator: ":")
        guard parts.count == 2, ["11;rgb", "11;rgba"].contains(parts[0]) else { return nil }
        let shares = parts[1].split(separator: "/").prefix(3).compactMap { digits -> Double? in
            guard digits.utf8.count <= 4, let number = Int(digits, radix: 16), number >= 0 else { return nil }
            return Double(number) / (pow(16, Double(digits.utf8.count)) - 1)
        }
        guard shares.count == 3 else { return nil }
        // The relative luminance of WCAG. Between the limits, none of the fixed colours has a contrast of 4.5.
        let linear = shares.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        switch 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] {
        case ..<0.045: self = .dark
        case 0.78...: self = .light
        default: return nil
        }
    }
}
