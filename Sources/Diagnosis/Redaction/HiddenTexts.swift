import JSON
import OAuthCore

/// Texts that the user hides in a copy, also as a form and JSON write them, in capitals and small letters.
struct HiddenTexts: Sendable {
    static let mark = "\u{2026}"

    /// In small letters, the longest first.
    private let needles: [[UInt8]]

    init(_ texts: [String]) {
        let forms = texts.flatMap { text in
            var form = Parameters()
            form.append("", text)
            let json = JSONValue.string(text).serialized.dropFirst().dropLast()
            return [text, String(form.formEncoded.dropFirst()), String(json)]
        }
        needles = Set(forms).map { Self.small(Array($0.utf8)) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    func removed(from text: String) -> (text: String, places: Int)? {
        guard !needles.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        let small = Self.small(bytes)
        var (rest, places, index) = ([UInt8](), 0, 0)
        while index < bytes.count {
            if let needle = needles.first(where: small[index...].starts(with:)) {
                rest += Self.mark.utf8
                places += 1
                index += needle.count
            } else {
                rest.append(bytes[index])
                index += 1
            }
        }
        return places == 0 ? nil : (String(decoding: rest, as: UTF8.self), places)
    }

    private static func small(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
