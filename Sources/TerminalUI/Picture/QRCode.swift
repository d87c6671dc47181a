import CQREncode

/// A QR code (ISO/IEC 18004): a square of dark and light modules.
package struct QRCode: Sendable, Hashable {
    /// The width in modules of the light border that scanners need.
    package static let quietZone = 4

    /// The number of modules per side, without the quiet zone.
    package let width: Int
    /// The modules row by row; true for dark.
    private let modules: [Bool]

    /// Creates the smallest code for `text`. Nil if the text is too long or libqrencode isn't installed.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // More than the largest code holds, and within C's int.
        guard bytes.count <= 4096 else { return nil }
        var modules = [UInt8](repeating: 0, count: Int(KEYTURN_QR_WIDEST) * Int(KEYTURN_QR_WIDEST))
        width = Int(keyturn_qr_encode(bytes, Int32(bytes.count), &modules))
        guard width > 0 else { return nil }
        self.modules = modules.prefix(width * width).map { $0 == 1 }
    }

    /// Whether a module is dark. Modules outside the code are light.
    package func isDark(x: Int, y: Int) -> Bool {
        (0..<width).contains(x) && (0..<width).contains(y) && modules[y * width + x]
    }

    /// Lines with two stacked modules per character, so that modules are almost square. Draw them dark on light.
    package func halfBlockLines(quietZone: Int = Self.quietZone) -> [String] {
        let range = -quietZone..<width + quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            range.map { x in
                isDark(x: x, y: y)
                    ? isDark(x: x, y: y + 1) ? "█" : "▀"
                    : isDark(x: x, y: y + 1) ? "▄" : " "
            }.joined()
        }
    }

    /// Lines with two characters per module, for terminals without block characters. Draw them dark on light.
    package func asciiLines(quietZone: Int = Self.quietZone) -> [String] {
        let range = -quietZone..<width + quietZone
        return range.map { y in range.map { x in isDark(x: x, y: y) ? "##" : "  " }.joined() }
    }
}
