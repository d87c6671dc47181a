import DemoAuthority
import Foundation
import Testing

@testable import Subcommands

@Suite("Shell completion")
struct CompletionRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var line: String
        var reply: CompletionRequest.Reply
        var beginning = ""
        var testDescription: String { line }
    }

    private static func asks(_ source: CompletionSource, prefix: String = "") -> CompletionRequest.Reply {
        .source(source, prefix: prefix)
    }

    static let rows = [
        Row(line: "remove ", reply: asks(.accounts)),
        Row(line: "remove an", reply: asks(.accounts), beginning: "an"),
        Row(line: "remove ann ", reply: .candidates([])),
        Row(line: "sign-out ", reply: asks(.accounts)),
        Row(line: "token --account ", reply: asks(.accounts)),
        Row(line: "accounts --default ", reply: asks(.accounts)),
        Row(line: "token --scope Us", reply: asks(.scopes), beginning: "Us"),
        Row(line: "token --scope a --scope ", reply: asks(.scopes)),
        Row(line: "--profile ", reply: asks(.profiles)),
        Row(line: "token --profile=w", reply: asks(.profiles, prefix: "--profile="), beginning: "w"),
        Row(line: "token -o ", reply: asks(.words(["token", "json", "header", "headers", "env", "exec-credential"]))),
        Row(
            line: "token -o = j",
            reply: asks(.words(["token", "json", "header", "headers", "env", "exec-credential"])),
            beginning: "j"),
        Row(line: "accounts --output =", reply: asks(.words(["table", "wide", "json"]))),
        Row(line: "--config ", reply: asks(.files)),
        Row(line: "import ", reply: asks(.words(["unified", "adal", "known"]))),
        Row(line: "import unified ", reply: asks(.files)),
        Row(line: "export unified x ", reply: .candidates([])),
        Row(line: "completions ", reply: asks(.words(["bash", "zsh", "fish"]))),
        Row(
            line: "help tok",
            reply: .candidates(
                CommandTable.all.map { .init(word: $0.specification.name, sentence: $0.specification.summary) }),
            beginning: "tok"),
        Row(line: "exec ", reply: asks(.files)),
        Row(line: "exec curl --h", reply: .candidates([]), beginning: "--h"),
        Row(line: "open-url ", reply: asks(.nothing)),
        Row(line: "token --min-validity ", reply: asks(.nothing)),
        Row(line: "remove -- -", reply: asks(.accounts), beginning: "-"),
        Row(line: "demo ", reply: asks(.scenarios)),
        Row(line: "authority --scenario ", reply: asks(.scenarios)),
        Row(line: "frobnicate ", reply: .candidates([])),
    ]

    @Test("Possible continuations", arguments: rows)
    func reply(_ row: Row) {
        let words = row.line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let request = CompletionRequest(words, among: CommandTable.all.map { $0.specification })
        #expect(request.reply == row.reply)
        #expect(request.beginning == row.beginning)
    }

    private func words(_ line: String, in environment: [String: String] = [:]) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let reply = CompletionReply(
            request: CompletionRequest(words, among: CommandTable.all.map { $0.specification }),
            environment: environment, now: Date())
        return reply.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
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
        #expect(words("token --output=h") == ["--output=header", "--output=headers"])
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
