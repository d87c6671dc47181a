import Testing

@testable import Diagnosis

@Suite("Near misses")
struct NearMissTests {
    static let words = ["token", "accounts", "claims", "remove", "sign-in", "demo"]

    @Test(
        "The intended word is suggested",
        arguments: [
            ("tokne", "token"), ("token", "token"), ("TOKEN", "token"), ("acounts", "accounts"),
            ("account", "accounts"),
            ("signin", "sign-in"), ("claism", "claims"), ("dem", "demo"),
        ])
    func meant(_ word: String, _ expected: String) {
        #expect(nearest(to: word, in: Self.words) == expected)
    }

    @Test("A distant word is not suggested", arguments: ["", "xyz", "kubernetes", "toto", "logout"])
    func nothing(_ word: String) {
        #expect(nearest(to: word, in: Self.words) == nil)
    }
}
