import DemoAuthority
import TerminalUI

/// Who can sign in at the built-in authority, and with what.
enum PeopleHints {
    static func table(_ people: [Person], indent: String = "  ") -> String {
        TextTable(rows: people.map { [$0.username, $0.password, $0.name] }, indent: indent).text
    }

    static func lines(_ people: [Person]) -> [String] {
        people.map { "\($0.username)  password: \($0.password)" }
    }
}
