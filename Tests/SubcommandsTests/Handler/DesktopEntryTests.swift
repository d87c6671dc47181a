import Testing

@testable import Subcommands

@Suite("Desktop entry")
struct DesktopEntryTests {
    @Test("Names the program and the scheme")
    func text() {
        let entry = DesktopEntry(scheme: "msauth.Org.Keyturn.App", program: "/opt/keyturn/bin/keyturn")
        let lines = entry.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "[Desktop Entry]")
        #expect(lines.contains("Exec=/opt/keyturn/bin/keyturn open-url -- %u"))
        #expect(lines.contains("MimeType=x-scheme-handler/msauth.org.keyturn.app;"))
        #expect(DesktopEntry.fileName(scheme: "msauth.Org.Keyturn.App") == "keyturn-msauth.org.keyturn.app.desktop")
    }

    @Test(
        "Any path is one argument",
        arguments: [
            ("/a/b-1.0_x", "/a/b-1.0_x"), ("/a b/c", #""/a b/c""#), (#"/a"b"#, #""/a\\"b""#),
            ("/a$HOME`x`", #""/a\\$HOME\\`x\\`""#),
            (#"/a\b"#, #""/a\\\\b""#), ("/100%u", #""/100%%u""#),
        ])
    func quoting(path: String, quoted: String) {
        #expect(DesktopEntry.quoted(path) == quoted)
    }

    @Test(
        "Removing a default keeps all others",
        arguments: [
            ("[Default Applications]\na/b=x.desktop\nt=mine.desktop\n", "[Default Applications]\na/b=x.desktop\n"),
            ("t=mine.desktop;other.desktop;\n", "t=other.desktop;\n"), ("t=other.desktop\n", "t=other.desktop;\n"),
            ("tt=mine.desktop\n", "tt=mine.desktop\n"), ("", ""),
        ])
    func removing(list: String, rest: String) {
        #expect(MIMEAppsList.removing("mine.desktop", for: "t", from: list) == rest)
    }
}
