import Testing

@testable import KeyturnSystem

@Suite("Paths")
struct PathTests {
    @Test(
        "Consist of a folder and a name, also of one character",
        arguments: [
            ("/home/ann/a.json", "/home/ann", "a.json"), ("/a", "/", "a"), ("//a", "/", "a"), ("/", "/", ""),
            ("a", "", "a"), (".", "", "."), (" ", "", " "), ("", "", ""), ("./a", ".", "a"), ("a/b", "a", "b"),
            ("a/b/", "a", "b"), ("a//b", "a", "b"), ("日/\u{301}x", "日", "\u{301}x"),
        ])
    func parts(path: String, folder: String, name: String) {
        #expect(path.parentFolder == folder)
        #expect(path.fileName == name)
    }
}
