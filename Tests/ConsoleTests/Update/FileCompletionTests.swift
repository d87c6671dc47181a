import Testing

@testable import Console

@Suite("Completion of file names")
struct FileCompletionTests {
    @Test(
        "Every form of a name is read",
        arguments: [
            ("case 01.har", "case 01.har"), ("~/case 01.har", "~/case 01.har"), ("'case 01.har'", "case 01.har"),
            ("\"/a/case 01.har\"", "/a/case 01.har"), ("'/a/it'\\''s.har'", "/a/it's.har"), ("'/a/b", "/a/b"),
            ("/a/case\\ 01.har ", "/a/case 01.har"), ("file:///a/case%2001.har", "/a/case 01.har"),
            ("file://localhost/a/b.har", "/a/b.har"), ("", ""), ("'", ""), ("AADSTS50011", "AADSTS50011"),
        ])
    func forms(typed: String, path: String) {
        #expect(TypedFileName(typed).path == path)
    }

    @Test("A quoted path names a file even if it is missing; a quoted URL or token doesn't")
    func marked() {
        for text in ["'/a/b.har'", "\"~/x\"", "file:///a"] { #expect(TypedFileName(text).isMarked, "\(text)") }
        for text in ["/a/b", "\"https://a.example/?code=1\"", "\"eyJh.eyJz.x\"", "AADSTS1"] {
            #expect(!TypedFileName(text).isMarked, "\(text)")
        }
    }

    private let entries = [
        FolderEntry("Customer logs", isFolder: true), FolderEntry("case 01.har"), FolderEntry("case 02.har"),
        FolderEntry(".hidden"), FolderEntry("it's.har"), FolderEntry("日本語.har"),
    ]

    @Test(
        "The completion keeps the form of the text",
        arguments: [
            ("ca", "case 0", 2), ("cu", "Customer logs/", 0), ("~/ca", "~/case 0", 2), ("'ca", "'case 0", 2),
            ("'/a/Cu", "'/a/Customer logs/", 0), ("'it", "'it'\\''s.har'", 0), ("\"it", "\"it's.har\"", 0),
            ("/a/Customer\\ l", "/a/Customer\\ logs/", 0), ("file:///a/Cu", "file:///a/Customer%20logs/", 0),
            ("", "", 5), (".", ".hidden", 0), ("日", "日本語.har", 0), ("none", "none", 0),
        ])
    func completions(typed: String, completed: String, choices: Int) {
        let completion = FileCompletion(of: typed, among: entries)
        #expect(completion.text == completed)
        #expect(completion.choices.count == choices)
        #expect(TypedFileName(completion.text).path.hasPrefix(TypedFileName(typed).folder))
    }
}
