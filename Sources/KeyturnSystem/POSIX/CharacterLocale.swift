import Glibc

/// The locale for characters that the environment names, and whether it is installed.
package enum CharacterLocale: Sendable, Equatable {
    case utf8
    case other
    /// Not installed, so that the C library uses ASCII.
    /// - Parameter substitute: an installed locale with the same characters.
    case missing(String, substitute: String?)

    private static let usual = "C.UTF-8"

    /// - Parameter codeset: the character set of a locale; nil if it isn't installed.
    package init(environment: [String: String], codeset: (String) -> String? = Self.codeset(of:)) {
        let name = Self.name(in: environment)
        self =
            if let found = codeset(name) {
                found == "UTF-8" ? .utf8 : .other
            } else {
                .missing(name, substitute: Self.namesUTF8(environment) && codeset(Self.usual) != nil ? Self.usual : nil)
            }
    }

    /// Whether ncurses can draw every character.
    package var drawsUTF8: Bool {
        switch self {
        case .utf8: true
        case .other: false
        case .missing(_, let substitute): substitute != nil
        }
    }

    /// The name for setlocale(3); empty for the environment's.
    package var nameToUse: String {
        switch self {
        case .utf8, .other, .missing(_, substitute: nil): ""
        case .missing(_, let substitute?): substitute
        }
    }

    /// Whether or not the locale is installed.
    package static func namesUTF8(_ environment: [String: String]) -> Bool {
        let name = name(in: environment).uppercased()
        return name.contains("UTF-8") || name.contains("UTF8")
    }

    /// The first variable that is set (POSIX §8.2).
    private static func name(in environment: [String: String]) -> String {
        ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }

    /// Doesn't change the process's locale.
    package static func codeset(of name: String) -> String? {
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return nil }
        defer { freelocale(locale) }
        return String(cString: nl_langinfo_l(nl_item(CODESET), locale))
    }
}
