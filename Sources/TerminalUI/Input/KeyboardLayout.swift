/// The letters of other keyboard layouts, with the keys of a US keyboard at their places.
enum KeyboardLayout {
    private static func keys(_ letters: String, at places: String) -> [Character: Character] {
        // The first letter at a place decides; Greek has two letters with the same capital.
        Dictionary(zip(letters, places).map { ($0, $1) }) { first, _ in first }
    }

    private static let cyrillic = keys(
        "йцукенгшщзхъфывапролджэячсмитьбюіўЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮІЎ",
        at: "qwertyuiop[]asdfghjkl;'zxcvbnm,.soQWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>SO")
    private static let greek = keys(
        "ερτυθιοπασδφγηξκλζχψωβνμςΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ",
        at: "ertyuiopasdfghjklzxcvbnmwERTYUIOPASDFGHJKLZXCVBNM")

    /// The character of a US keyboard at this letter's place; nil for a letter of no other layout.
    static func latin(_ letter: Character) -> Character? { cyrillic[letter] ?? greek[letter] }
}

extension Key {
    /// The key of a US keyboard at the place of a Cyrillic or Greek letter; nil for any other key.
    package var onUSKeyboard: Key? {
        if case .alt(let key) = self { return key.onUSKeyboard.map(Key.alt) }
        return typed.flatMap(KeyboardLayout.latin).map(Key.character)
    }
}
