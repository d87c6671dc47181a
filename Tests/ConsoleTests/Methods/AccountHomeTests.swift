import Console
import Foundation
import Testing

@Suite("The profile of an account of another authority")
struct AccountHomeTests {
    @Test(
        "Has one of the account's authorities",
        arguments: [
            (["https://id.example/a"], "a"), (["https://ID.example/b/"], "b"),
            (["https://id.example/x", "https://id.example/b"], "b"), (["https://id.example"], nil), ([], nil),
        ] as [([String], String?)])
    func profile(authorities: [String], name: String?) {
        let home = AccountHome(
            of: authorities.compactMap { URL(string: $0) },
            among: [("a", "https://id.example/a/"), ("b", "https://id.example/b")])
        #expect(home.profile == name)
        let advice = home.advice { "Use \($0)." }
        #expect(advice == name.map { "Use \($0)." } ?? advice)
        #expect(name != nil || advice.hasPrefix("No profile has its authority"))
    }
}
