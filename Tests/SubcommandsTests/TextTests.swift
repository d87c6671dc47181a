import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Text formatting")
struct TextTests {
    @Test("Columns align by display width, and cells contain no escape sequences")
    func table() {
        let table = TextTable(rows: [["王", "a", "x"], ["\u{1b}[2Jb", "", "y"], ["only"]], indent: " ")
        #expect(table.text == " 王    a  x\n [2Jb     y\n only\n")
    }

    @Test("A server's whole text is logged with -vv, but not on a terminal") func serverTexts() {
        struct Terminal: TextSink {
            func write(_ text: String) {}
            var isTerminal: Bool { true }
        }
        for (detail, shows) in [(LogDetail.none, false), (.steps, false), (.everything, true)] {
            #expect(detail.showsServerTexts(on: MemorySink()) == shows)
            #expect(!detail.showsServerTexts(on: Terminal()))
        }
    }

    @Test(
        "Of many accounts, only a few are named",
        arguments: [(1, "p0"), (3, "p0, p1, p2"), (9, "p0, p1, p2 and 6 more")])
    func names(_ count: Int, _ expected: String) {
        let accounts = (0..<count).map { number in
            MSALAccount(
                username: "p\(number)", homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil)
        }
        #expect(MSALPublicClientApplication.names(of: accounts, atMost: 3) == expected)
    }

    @Test("No rows are no text")
    func empty() {
        #expect(TextTable(rows: []).text == "")
    }

    @Test("Everything becomes ASCII", arguments: [("a…b", "a...b"), ("Zoë 王", "Zo? ?"), ("plain\n", "plain\n")])
    func ascii(_ text: String, _ expected: String) {
        #expect(ASCIISink.fold(text) == expected)
    }

    @Test(
        "The locale determines UTF-8 support",
        arguments: [
            ([:], false), (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
            (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], true),
        ])
    func locale(_ environment: [String: String], _ expected: Bool) {
        #expect(Surroundings.test(environment).usesUTF8 == expected)
    }
}
