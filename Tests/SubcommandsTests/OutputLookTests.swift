import Diagnosis
import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Subcommands

/// What commands print on a terminal and in a pipe.
@Suite("Output on terminals", .serialized, .oneSessionAtATime)
struct OutputLookTests {
    private static let commands = [
        "check --offline --client-id a --authority https://login.example.com --info-plist /nowhere/Info.plist",
        "explain AADSTS50076", "explain https://login.example.com/authorize?client_id=a&scope=openid&state=x",
        "claims --token - --offline", "token --bogus", "token",
    ]

    private static let token = [
        #"{"alg":"RS256","typ":"JWT"}"#,
        #"{"iss":"https://login.example.com/a/very/long/path/of/an/issuer/v2.0","exp":1763636400,"name":"Ann"}"#, "x",
    ].map { Data($0.utf8).base64EncodedString().prefix { $0 != "=" } }.joined(separator: ".")

    /// What the command writes, standard output and error, with both on a terminal of this width.
    private func written(
        _ line: String, columns: Int?, _ environment: [String: String] = [:]
    ) async throws -> String {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let (output, errors) = (MemorySink(columns: columns), MemorySink(columns: columns))
        let base = ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"]
        let surroundings = Surroundings.test(
            base.merging(environment) { $1 }, output: output, errors: errors,
            pastes: {
                AsyncStream {
                    $0.yield(Self.token); $0.finish()
                }
            })
        _ = await Program.run(line.split(separator: " ").map(String.init), in: surroundings)
        return (output.text + errors.text).replacing(folder.path, with: "~")
    }

    private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

    private static func withoutSequences(_ text: String) -> String {
        text.replacing(#/\u{1B}(\[[0-9;]*m|\]8;;[^\u{1B}]*\u{1B}\\)/#, with: "")
    }

    @Test("A line ends at the terminal's width, unless it is one word, and nothing is lost", arguments: commands)
    func widths(_ line: String) async throws {
        let piped = Self.words(try await written(line, columns: nil))
        for columns in [40, 80, 120] {
            let text = Self.withoutSequences(try await written(line, columns: columns, ["NO_COLOR": "1"]))
            for line in text.split(separator: "\n") {
                let isOneWord = Self.words(String(line)).count <= 2
                #expect(DisplayWidth.of(line) <= columns || isOneWord, "\(columns): \(line)")
            }
            #expect(Self.words(text) == piped)
        }
    }

    @Test("A pipe has no control sequences and no wrapped lines", arguments: commands)
    func pipes(_ line: String) async throws {
        let text = try await written(line, columns: nil, ["COLUMNS": "30"])
        #expect(!text.contains("\u{1B}"))
        #expect(text == (try await written(line, columns: nil)))
    }

    @Test(
        "Verdicts are coloured marks on a terminal, else words",
        arguments: [
            ("", [:], true), ("--ascii", [:], false), ("--no-color", [:], false), ("--theme mono", [:], false),
            ("--plain", [:], false), ("", ["NO_COLOR": "1"], false), ("", ["LANG": "C"], false),
            ("", ["ACCESSIBLE": "1"], false),
        ] as [(String, [String: String], Bool)])
    func marks(_ options: String, _ environment: [String: String], _ hasMarks: Bool) async throws {
        let text = try await written("\(Self.commands[0]) \(options)", columns: 80, environment)
        #expect(text.contains("  \u{1B}[0;1;31m✗\u{1B}[0m  ") == hasMarks, "\(text)")
        #expect(text.contains("  failed  ") != hasMarks, "\(text)")
    }

    @Test("The checks of a token have the same marks")
    func verdicts() {
        let verdicts = [
            MSALIDTokenVerdict(rule: "Expiry", outcome: .passed, explanation: "It is valid."),
            MSALIDTokenVerdict(rule: "Nonce", outcome: .skipped, explanation: "None  was sent."),
        ]
        let look = OutputLook(columns: 80, theme: ColorTheme(.standard))
        let table = FindingTable(findings: verdicts.map { CheckFinding($0) }, collapsesSpaces: true)
        #expect(
            table.text(look)
                == "  \u{1B}[0;32m✓\u{1B}[0m  Expiry  It is valid.\n  \u{1B}[0;2m–\u{1B}[0m  Nonce   None was sent.\n")
        #expect(table.text(.plain) == "  passed   Expiry  It is valid.\n  skipped  Nonce   None was sent.\n")
    }

    @Test("The tour is wrapped with hanging indents, and marks what went well and badly")
    func tour() async throws {
        let text = try await written("demo outage --tour", columns: 60)
        for line in Self.withoutSequences(text).split(separator: "\n") {
            #expect(DisplayWidth.of(line) <= 60 || Self.words(String(line)).count == 1, "\(line)")
        }
        #expect(text.contains("   12. Authority to Browser: Redirect to the application\n       with an"), "\(text)")
        #expect(
            text.contains("   \u{1B}[0;32m✓\u{1B}[0m New tokens.") && text.contains("\u{1B}[0;1;31m✗\u{1B}[0m "),
            "\(text)")
    }

    @Test("A terminal that doesn't know its width has that of COLUMNS, or 80 columns")
    func unknownWidth() {
        struct Terminal: TextSink {
            func write(_ text: String) {}
            var isTerminal: Bool { true }
        }
        for (columns, expected) in [("100", 100), ("0", 80), ("wide", 80), (nil, 80)] {
            let environment = columns.map { ["COLUMNS": $0] } ?? [:]
            #expect(Surroundings.test(environment).columns(of: Terminal()) == expected)
        }
        #expect(Surroundings.test(["COLUMNS": "100"]).columns(of: MemorySink(columns: 50)) == 50)
        #expect(Surroundings.test(["COLUMNS": "100"]).columns(of: MemorySink()) == nil)
    }

    @Test(
        "The last cells of a table are wrapped in their column, or below a cell that is too wide for it",
        arguments: [
            (50, "  passed  a     one two three four five six seven\n                eight\n  failed  long  nine\n"),
            (40, "  passed  a\n      one two three four five six seven\n      eight\n  failed  long\n      nine\n"),
        ])
    func tables(columns: Int, expected: String) {
        let rows = [["passed", "a", "one two three four five six seven eight"], ["failed", "long", "nine"]]
        #expect(TextTable(rows: rows, indent: "  ").text(columns: columns) == expected)
    }

    @Test("A cell that is too wide for its column has the last cell below it")
    func wideCells() {
        let rows = [["a", "one two three four five six seven"], ["a name that is far too long", "x"]]
        #expect(
            TextTable(rows: rows, widestTerm: 5).text(columns: 34)
                == "a  one two three four five six\n   seven\na name that is far too long\n   x\n")
    }
}
