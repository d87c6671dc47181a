import Testing

@testable import Console

@Suite("Results of a filter")
struct SearchTextsTests {
    private let texts = SearchTexts([
        account("Ann Archer", "ann@contoso.example"), account(nil, ""), account("王小明", "wang@fabrikam.example"),
        account("ANNA", "", guestIn: "ÜBUNG"),
    ])

    private static func account(_ name: String?, _ username: String, guestIn tenant: String? = nil) -> AccountSummary {
        AccountSummary(
            identifier: "", name: name, username: username, environment: "",
            tenantProfiles: [TenantProfileSummary(tenant: "home", isHome: true)]
                + [tenant].compactMap(\.self).map { TenantProfileSummary(tenant: $0, isHome: false) })
    }

    @Test(
        "Texts that contain the filter, in the requested order",
        arguments: [
            ("", [3, 2, 1, 0]), ("ann", [3, 0]), ("anna", [3]), ("contoso", [0]), ("小明", [2]), ("example", [2, 0]),
            ("example\nann", []), ("r\na", [0]), ("annab", []), ("zz", []), ("übung", [3]), ("home", []),
            ("archer ann", [0]), ("ANN  contoso", [0]), (" ", [3, 2, 1, 0]), ("ann 小明", []),
        ] as [(String, [Int])])
    func matches(_ needle: String, _ expected: [Int]) {
        #expect(texts.matches(of: needle, among: [3, 2, 1, 0]) == expected)
    }

    @Test(
        "If no text contains the words, those that they abbreviate: letters later in a word, or first in a later one",
        arguments: [
            ("aarch", [0]), ("acex", [0]), ("anar", [0]), ("wg@fab", [2]), ("wngfbr", [2]), ("übg", [3]), ("a小", []),
            ("nncontoso", []), ("xq", []), ("ae ncr", []), (String(repeating: "a", count: 70), []),
        ] as [(String, [Int])])
    func abbreviations(_ search: String, _ expected: [Int]) {
        #expect(texts.matches(of: search, among: [3, 2, 1, 0]).isEmpty)
        #expect(texts.matches(of: search, among: [], orElse: [3, 2, 1, 0]) == expected)
    }

    @Test("A text that is reviewed must contain the words")
    func exact() {
        #expect(["copy an access token"].matching("cptok", isExact: true) { $0 }.isEmpty)
        #expect(["copy an access token", "copy a command"].matching("cptok") { $0 } == ["copy an access token"])
    }

    @Test("An empty filter finds nothing")
    func none() {
        #expect(texts.matches(of: "ann", among: []).isEmpty)
        #expect(SearchTexts().matches(of: "ann", among: []).isEmpty)
    }
}
