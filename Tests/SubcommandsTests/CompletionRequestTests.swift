import DemoAuthority
import Testing

@testable import Subcommands

@Suite("Shell completion")
struct CompletionRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var line: String
        var answer: CompletionRequest.Answer
        var beginning = ""
        var testDescription: String { line }
    }

    private static func asks(_ source: CompletionSource, prefix: String = "") -> CompletionRequest.Answer {
        .source(source, prefix: prefix)
    }

    static let rows = [
        Row(line: "remove ", answer: asks(.accounts)),
        Row(line: "remove an", answer: asks(.accounts), beginning: "an"),
        Row(line: "remove ann ", answer: .candidates([])),
        Row(line: "sign-out ", answer: asks(.accounts)),
        Row(line: "token --account ", answer: asks(.accounts)),
        Row(line: "token --scope Us", answer: asks(.scopes), beginning: "Us"),
        Row(line: "token --scope a --scope ", answer: asks(.scopes)),
        Row(line: "--profile ", answer: asks(.profiles)),
        Row(line: "token --profile=w", answer: asks(.profiles, prefix: "--profile="), beginning: "w"),
        Row(line: "token -o ", answer: asks(.words(["token", "json", "header", "env", "exec-credential"]))),
        Row(
            line: "token -o = j", answer: asks(.words(["token", "json", "header", "env", "exec-credential"])),
            beginning: "j"),
        Row(line: "accounts --output =", answer: asks(.words(["table", "json"]))),
        Row(line: "--config ", answer: asks(.files)),
        Row(line: "import ", answer: asks(.words(["unified", "adal", "known"]))),
        Row(line: "import unified ", answer: asks(.files)),
        Row(line: "export unified x ", answer: .candidates([])),
        Row(line: "completions ", answer: asks(.words(["bash", "zsh", "fish"]))),
        Row(
            line: "help tok",
            answer: .candidates(
                CommandTable.all.map { .init(word: $0.specification.name, sentence: $0.specification.summary) }),
            beginning: "tok"),
        Row(line: "open-url ", answer: asks(.nothing)),
        Row(line: "token --min-validity ", answer: asks(.nothing)),
        Row(line: "remove -- -", answer: asks(.accounts), beginning: "-"),
        Row(line: "demo ", answer: asks(.scenarios)),
        Row(line: "authority --scenario ", answer: asks(.scenarios)),
        Row(line: "frobnicate ", answer: .candidates([])),
    ]

    @Test("Possible continuations", arguments: rows)
    func answer(_ row: Row) {
        let words = row.line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let request = CompletionRequest(words, among: CommandTable.all.map { $0.specification })
        #expect(request.answer == row.answer)
        #expect(request.beginning == row.beginning)
    }

    private func words(_ line: String, in environment: [String: String] = [:]) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let answer = CompletionAnswer(
            request: CompletionRequest(words, among: CommandTable.all.map { $0.specification }),
            environment: environment)
        return answer.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("Every visible command and option is offered")
    func everything() {
        #expect(words("") == CommandTable.names)
        for command in CommandTable.all.map({ $0.specification }) {
            let options = (command.options + Option.everywhere).map { "--\($0.long)" }
            #expect(words("\(command.name) --") == options)
        }
        #expect(words("tok") == ["token"])
        #expect(words("demo ") == Scenario.all.map(\.name))
        #expect(words("token --output=h") == ["--output=header"])
    }

    @Test("A file that cannot be read completes to nothing, without a message")
    func quiet() {
        for line in ["--profile ", "token --scope ", "remove "] {
            #expect(words(line, in: ["HOME": "/nowhere", "KEYTURN_CONFIG": "/nowhere/x"]).isEmpty)
        }
    }

    @Test("Earlier options choose the source of the words")
    func heedsOptions() throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let file = folder.path + "/config.json"
        try """
        { "defaultProfile": "a", "profiles": {
          "a": { "clientId": "1", "authority": "https://login.example.org/a", "scopes": ["Mail.Read"] },
          "b": { "clientId": "2", "authority": "https://login.example.org/b", "scopes": ["Files.Read"] } } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(words("--config \(file) --profile ") == ["a", "b"])
        #expect(words("--config \(file) token --scope ") == ["Mail.Read"])
        #expect(words("--config=\(file) --profile b token --scope ") == ["Files.Read"])
        #expect(words("token --config \(file) --profile=b --scope=F") == ["--scope=Files.Read"])
    }
}
