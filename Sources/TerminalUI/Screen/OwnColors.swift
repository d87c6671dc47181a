/// The colours that the user chose for roles, instead of those of the default theme.
package struct OwnColors: Sendable, Hashable {
    package private(set) var looks: [Role: ColorTheme.Look] = [:]

    package init() {}

    /// A QR code keeps its colours, so that scanners can read it.
    private static let roles = Role.allCases.filter { $0 != .picture }
    private static let attributes: [String: Style.Attributes] = [
        "bold": .bold, "dim": .dim, "underline": .underline, "reverse": .reverse,
    ]
    private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// Adds the look of a role, in the words of git's colours: `bold blue`, `dim`, `80`, `#5fd7d7`.
    package mutating func add(_ text: String, for name: String) throws(OwnMistake) {
        guard let role = Self.roles.first(where: { $0.rawValue == name }) else {
            throw OwnMistake("unknown role", "Use one of: \(Self.roles.map(\.rawValue).joined(separator: ", "))")
        }
        var look = ColorTheme.Look(color: nil, attributes: [])
        var hasColor = false
        for word in text.split(separator: " ").map(String.init) {
            if let attribute = Self.attributes[word] {
                look.attributes.insert(attribute)
                continue
            }
            guard let color = Self.color(word) else {
                throw OwnMistake(
                    "unknown colour \"\(word)\"",
                    "Use a name such as blue or bright-blue, a number up to 255, or #5fd7d7; before it bold, dim, "
                        + "underline or reverse")
            }
            guard !hasColor else { throw OwnMistake("two colours", "Use one. The background is the terminal's") }
            (look.color, hasColor) = (color, true)
        }
        looks[role] = look
    }

    /// The number of a colour; a number that no terminal has is none. `default` is the terminal's.
    private static func color(_ word: String) -> Int?? {
        if word == "default" { return .some(nil) }
        let plain = word.hasPrefix("bright-") ? String(word.dropFirst(7)) : word
        if let index = names.firstIndex(of: plain) { return plain == word ? index : index + 8 }
        if let number = Int(word), 0..<256 ~= number, word.utf8.first != UInt8(ascii: "+") { return number }
        guard word.utf8.count == 7, word.first == "#", word.dropFirst().allSatisfy(\.isHexDigit),
            let value = Int(word.dropFirst(), radix: 16)
        else { return nil }
        return nearest(red: value >> 16, green: value >> 8 & 0xFF, blue: value & 0xFF)
    }

    /// The nearest of the 256 colours that terminals have in common: a cube of six levels, and 24 greys.
    private static func nearest(red: Int, green: Int, blue: Int) -> Int {
        let levels = [0, 95, 135, 175, 215, 255]
        func distance(_ number: Int) -> Int {
            let index = number - 16
            let parts =
                index < 216
                ? [levels[index / 36], levels[index / 6 % 6], levels[index % 6]]
                : [Int](repeating: 8 + 10 * (index - 216), count: 3)
            return zip(parts, [red, green, blue]).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        return (16..<256).min { distance($0) < distance($1) } ?? 16
    }
}

/// What is wrong with something that the user chose for the terminal program, and what to do.
package struct OwnMistake: Error, Equatable {
    package var problem, remedy: String

    package init(_ problem: String, _ remedy: String) { (self.problem, self.remedy) = (problem, remedy) }
}
