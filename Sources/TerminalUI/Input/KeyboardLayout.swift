/// The letters of other keyboard layouts, with the keys of a US keyboard at their places.
package struct KeyboardLayout: Sendable {
    /// The layout's name, for a sentence.
    package let name: String
    private let keys: [Character: Character]

    private init(_ name: String, _ letters: String, at places: String) {
        self.name = name
        // The first letter at a place decides; Greek has two letters with the same capital.
        keys = Dictionary(zip(letters, places).map { ($0, $1) }) { first, _ in first }
    }

    private static let all = [
        KeyboardLayout(
            "Cyrillic", "йцукенгшщзхъфывапролджэячсмитьбюіўЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮІЎ",
            at: "qwertyuiop[]asdfghjkl;'zxcvbnm,.soQWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>SO"),
        KeyboardLayout(
            "Greek", "ερτυθιοπασδφγηξκλζχψωβνμςΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ",
            at: "ertyuiopasdfghjklzxcvbnmwERTYUIOPASDFGHJKLZXCVBNM"),
    ]

    /// The key of a US keyboard at this letter's place, and the layout; nil for a letter of none of them.
    package static func latin(_ letter: Character) -> (key: Character, layout: String)? {
        for layout in all {
            if let key = layout.keys[letter] { return (key, layout.name) }
        }
        return nil
    }
}
