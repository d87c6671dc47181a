import CQREncode

/// A text as a QR code (ISO/IEC 18004): a square of modules, dark or light.
package struct QRCode: Sendable, Hashable {
    /// Modules of light around the code that scanners look for.
    package static let quietZone = 4

    /// Modules on a side, without the quiet zone.
    package let width: Int
    /// Row by row; true where dark.
    private let modules: [Bool]

    /// The smallest code that holds `text`. `nil`: it is too long for one, or libqrencode is not installed.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // More than the largest code holds; it also keeps the length within what C counts with.
        guard bytes.count <= 4096 else { return nil }
        var modules = [UInt8](repeating: 0, count: Int(KEYTURN_QR_WIDEST) * Int(KEYTURN_QR_WIDEST))
        width = Int(keyturn_qr_encode(bytes, Int32(bytes.count), &modules))
        guard width > 0 else { return nil }
        self.modules = modules.prefix(width * width).map { $0 == 1 }
    }

    /// Everything outside is light.
    package func isDark(x: Int, y: Int) -> Bool {
        guard (0..<width).contains(x), (0..<width).contains(y) else { return false }
        return modules[y * width + x]
    }

    /// One character for two modules above each other, so that modules are about square. To be drawn dark on light.
    package func halfBlockLines(quietZone: Int = Self.quietZone) -> [String] {
        let range = -quietZone..<width + quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            range.map { x in Self.halfBlock(upper: isDark(x: x, y: y), lower: isDark(x: x, y: y + 1)) }.joined()
        }
    }

    private static func halfBlock(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// Two characters for each module, for terminals that have no blocks. To be drawn dark on light.
    package func asciiLines(quietZone: Int = Self.quietZone) -> [String] {
        let range = -quietZone..<width + quietZone
        return range.map { y in range.map { x in isDark(x: x, y: y) ? "##" : "  " }.joined() }
    }
}
