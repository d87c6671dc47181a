import KeyturnSystem
import Testing

@Suite("The locale for characters")
struct CharacterLocaleTests {
    @Test(
        "What the environment names, what is installed, and the result",
        arguments: [
            (["LANG": "en_US.UTF-8"], ["en_US.UTF-8": "UTF-8"], .utf8),
            (["LANG": "de_DE"], ["de_DE": "ISO-8859-1"], .other), ([:], [:], .other),
            (["LC_ALL": "C", "LANG": "en_US.UTF-8"], ["en_US.UTF-8": "UTF-8"], .other),
            (["LC_ALL": "", "LC_CTYPE": "a.utf8", "LANG": "C"], ["a.utf8": "UTF-8"], .utf8),
            (["LANG": "de_DE.UTF-8"], ["C.UTF-8": "UTF-8"], .missing("de_DE.UTF-8", substitute: "C.UTF-8")),
            (["LANG": "de_DE.utf8"], ["C.UTF-8": "UTF-8"], .missing("de_DE.utf8", substitute: "C.UTF-8")),
            (["LANG": "de_DE.UTF-8"], [:], .missing("de_DE.UTF-8", substitute: nil)),
            // The terminal may show ISO 8859-1.
            (["LANG": "de_DE"], ["C.UTF-8": "UTF-8"], .missing("de_DE", substitute: nil)),
        ] as [([String: String], [String: String], CharacterLocale)])
    func locale(environment: [String: String], installed: [String: String], expected: CharacterLocale) {
        let all = installed.merging(["C": "ANSI_X3.4-1968"]) { first, _ in first }
        #expect(CharacterLocale(environment: environment) { all[$0] } == expected)
    }

    @Test("The C library is asked")
    func codeset() {
        #expect(CharacterLocale.codeset(of: "C") == "ANSI_X3.4-1968")
        #expect(CharacterLocale.codeset(of: "no_SUCH.UTF-8") == nil)
    }
}
