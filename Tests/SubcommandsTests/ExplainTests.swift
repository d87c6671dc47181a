import Diagnosis
import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("keyturn explain")
struct ExplainTests {
    private func run(
        _ arguments: [String], input: [String] = []
    ) async -> (code: ExitCode, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        let surroundings = Surroundings.test(
            output: output, errors: errors,
            pastes: {
                AsyncStream { stream in
                    for piece in input { stream.yield(piece) }
                    stream.finish()
                }
            })
        let code = await Program.run(["explain"] + arguments, in: surroundings)
        return (code, output.text, errors.text)
    }

    @Test(
        "An argument, and a part of its explanation",
        arguments: [
            ("-50002", "interactionRequired"), ("50076", "MFA needed"), ("AADSTS50076", "MFA needed"),
            ("invalid_grant", "RFC 6749 §5.2"), ("MSALErrorUserCanceled", "-50005"),
            ("http://localhost/?code=abc&state=xyz", "hidden, 3 characters"),
            ("msauth.org.keyturn.app://auth", "Brokers and all authorities support it"),
            ("myapp://auth", "Use http://localhost or"),
        ])
    func explains(text: String, part: String) async {
        let result = await run([text])
        #expect(result.code == .done && result.errors == "")
        #expect(result.output.contains(part))
    }

    @Test func aHyphenReadsStandardInput() async {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2EiLCJzdWIiOiJiIn0.c2ln"
        let result = await run(
            ["-", "--offline"], input: [String(token.prefix(20)), String(token.dropFirst(20)) + "\n"])
        #expect(result.code == .done)
        #expect(result.output.contains("A JSON Web Token (JWT) from https://a"))
        #expect(!result.output.contains("c2ln") && !result.output.contains("eyJ"))
    }

    @Test("Standard input that is too long is not read to its end")
    func limit() async throws {
        let surroundings = Surroundings.test(pastes: { AsyncStream { "more" } })
        let failure = await #expect(throws: Failure.self) {
            try await surroundings.input(mostBytes: 3 << 20)
        }
        #expect(failure?.reason == "Standard input is larger than the limit of 3 MiB.")
        #expect(failure?.exitCode == .failed)
    }

    @Test("No input is lost while the reader is slow")
    func pieces() async throws {
        let pipe = Pipe()
        let sent = Data((0..<(20 << 20)).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        let pieces = PastedInput.pieces(of: pipe.fileHandleForReading.fileDescriptor)
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: sent)
            try? pipe.fileHandleForWriting.close()
        }
        var received = ""
        for await piece in pieces { received += piece }
        #expect(Data(received.utf8) == sent)
        withExtendedLifetime(pipe) {}
    }

    @Test("A configuration has the findings of its check")
    func configuration() async {
        let client = "11111111-2222-3333-4444-555555555555"
        let good =
            #"{"profiles":{"a":{"clientId":"\#(client)","authority":"https://login.microsoftonline.com/common"}}}"#
        let result = await run(["-"], input: [good])
        #expect(result.code == .done && result.output.hasPrefix("A Keyturn configuration with 1 profile."))
        #expect(result.output.contains("Redirect URI") && !result.output.contains("failed"))
        let mistaken = await run(["-"], input: [#"{"profiles":{"a":{"clientID":"\#(client)"}}}"#])
        #expect(mistaken.output.contains("of the registration.\n"))
        let scheme = good.replacing(#""clientId""#, with: #""redirectUri":"myapp://auth","clientId""#)
        #expect(await run(["-"], input: [scheme]).output.contains(#/failed +Redirect URI/#))
        let typo = await run(["-"], input: [good.replacing("clientId", with: "clientID")])
        #expect(typo.code == .done && typo.output.contains("line 1") && typo.output.contains("clientID"))
        let broken = await run(["-"], input: [#"{"profiles": {"a": }"#])
        #expect(broken.code == .done && broken.output.contains("invalid JSON"))
    }

    @Test("The diagram of a recording, in every format", arguments: ["mermaid", "svg", "markdown"])
    func diagram(format: String) async throws {
        let entry =
            #"{"request":{"method":"POST","url":"https://id.example/token","postData":{"mimeType":"#
            + #""application/x-www-form-urlencoded","text":"grant_type=refresh_token"}},"response":{"status":400}}"#
        let har = #"{"log":{"entries":[\#(entry)]}}"#
        let result = await run(["-", "--diagram", format], input: [har])
        #expect(result.code == .done && result.errors == "")
        #expect(result.output.contains("token") && result.output.contains("400"))
        let none = await run(["invalid_grant", "--diagram", format])
        #expect(none.code == .failed && none.errors.contains("contains no sign-in requests"))
    }

    @Test("A case is a folder that stands for its evidence, and isn't overwritten; a copy without the cause says so")
    func caseFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keyturn-case-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = await run(["AADSTS50011: zoe@contoso.example", "--case", folder, "-o", "json"])
        #expect(first.code == .done && first.errors == "" && first.output.contains("\"hasSameCause\" : true"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["answer.md", "evidence.txt", "versions.txt"])
        #expect(try !String(contentsOfFile: "\(folder)/evidence.txt", encoding: .utf8).contains("zoe"))
        let explained = await run([folder])
        #expect(explained.code == .done && explained.output.contains("AADSTS50011"))
        let again = await run(["AADSTS50011", "--case", folder])
        #expect(again.code == .failed && again.errors.contains("already exists"))
        let lost = await run(["eyJhbGciOiJub25lIn0.eyJzdWIiOiJ6b2UifQ.", "--offline", "--redact", "\(folder)/t.txt"])
        #expect(lost.code == .done && lost.errors.contains("The copy shows another cause."))
    }

    @Test func aReviewNeedsATerminalAndAFile() async {
        #expect(await run(["AADSTS50011", "--review"]).code == .usage)
        #expect(await run(["-", "--review", "--plain"]).errors.contains("--review needs a file"))
    }

    @Test("Links are text, and open in a terminal (OSC 8)")
    func links() async {
        let page = "https://www.rfc-editor.org/rfc/rfc6749#section-5.2"
        let section = Explanation.Section(
            title: "invalid_grant", rows: [.init("Defined by", "RFC 6749 §5.2", source: "RFC 6749 §5.2")])
        let explanation = Explanation(.errorCode, "An error.", sections: [section])
        #expect(explanation.links == [page])
        var report = ExplanationReport(explanation: explanation, now: .distantPast)
        #expect(report.text(.plain).contains("  \(page)\n") && !report.text(.plain).contains("\u{1B}"))
        report.linksOpen = true
        #expect(report.text(.plain).contains("\u{1B}]8;;\(page)\u{1B}\\\(page)\u{1B}]8;;"))
    }

    @Test func anUnknownArgumentIsNotRepeated() async {
        let result = await run(["PLANTED-7f3a-value"])
        #expect(result.code == .failed && result.output == "")
        #expect(!result.errors.contains("PLANTED"))
        let missing = await run(["./PLANTED-customer.har"])
        #expect(missing.errors.contains("The file doesn't exist.") && missing.code == .failed)
        let near = await run(["invalid_grnat"])
        #expect(near.errors.contains("Did you mean invalid_grant?"))
    }

    @Test func controlCharactersOfAURLDoNotReachTheTerminal() async {
        let result = await run(["http://localhost/?error=%1B%5B2Jaccess_denied%E2%80%AE&state=a"])
        #expect(result.code == .done)
        #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{202E}"))
    }

    @Test func jsonOutputIsADocument() async throws {
        let result = await run(["invalid_grant", "-o", "json"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(document["kind"] as? String == "errorCode")
        let sections = try #require(document["sections"] as? [[String: Any]])
        #expect(sections.first?["title"] as? String == "invalid_grant")
        let failure = await run(["nothing known", "-o", "json"])
        #expect(failure.errors.contains(#""name":"unknown""#))
    }

    @Test func anotherApplicationsPlistIsUsed() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        let list: [String: Any] = [
            "CFBundleIdentifier": "com.example.other", "CFBundleURLTypes": [["CFBundleURLSchemes": ["myapp"]]],
        ]
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: file)
        let result = await run(["myapp://auth", "--info-plist", file.path])
        #expect(result.output.hasPrefix("A redirect URI for com.example.other."))
        #expect(!result.output.contains("For another application"))
        #expect(
            await run(["myapp://auth"]).output.contains(
                "For another application, use keyturn explain --info-plist FILE."))
        let missing = await run(["myapp://auth", "--info-plist", "/nonexistent"])
        #expect(missing.code == .configuration)
    }
}

extension ExplainTests {
    private static let rejected =
        #"{"log":{"entries":[{"request":{"method":"GET","url":"https://id.example/authorize?client_id=a&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2FApp1&state=b"},"response":{"status":400,"content":{"mimeType":"text/html","text":"<html>AADSTS50011</html>"}}}]}}"#

    @Test("The answer is for its reader, and an input without a problem has none")
    func answers() async {
        let user = await run(["AADSTS50011", "--answer", "user"])
        #expect(user.code == .done && user.output.contains("Who must do it: the developer of the application."))
        #expect(await run(["AADSTS50011", "--answer", "developer"]).output.contains("Who must do it: you."))
        let none = await run(["myapp.example://auth", "--answer", "user"])
        #expect(none.code == .failed || none.output.contains("What happened"))
        let json = await run(["AADSTS50011", "-o", "json"])
        #expect(json.output.contains("\"answers\"") && json.output.contains("\"administrator\""))
    }

    @Test("Two inputs beside each other, up to the first difference")
    func beside() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appending(path: "ann.har")
        let works = Self.rejected.replacing("App1", with: "app1").replacing("\"status\":400", with: "\"status\":302")
            .replacing("AADSTS50011", with: "")
        try Data(works.utf8).write(to: other)
        let result = await run(["-", "--beside", other.path], input: [Self.rejected])
        #expect(
            result.code == .done && result.output.contains("First difference: the authorization request (entry 1)."))
        #expect(result.output.contains("the input: http://localhost/App1"))
        let none = await run(["AADSTS50011", "--beside", other.path])
        #expect(none.code == .failed && none.errors.contains("contains no sign-in requests"))
    }

    @Test(
        "Options that exclude each other are named, not ignored",
        arguments: [
            (["--beside", "x", "--redact", "y"], "--beside", "--redact"),
            (["--answer", "user", "-o", "json"], "--answer", "-o json"),
            (["--diagram", "svg", "-o", "json"], "--diagram", "-o json"),
            (["--beside", "x", "--diagram", "svg"], "--beside", "--diagram"),
            (["--review", "--case", "x"], "--review", "--case"),
            (["--redact", "-", "-o", "json"], "--redact -", "-o json"),
            (["--redact", "-", "--answer", "user"], "--answer", "--redact"),
        ])
    func conflicts(options: [String], one: String, other: String) async {
        let result = await run(["AADSTS50011"] + options)
        #expect(result.code == .usage && result.output.isEmpty)
        #expect(result.errors.contains("Both \(one) and \(other) are given."), "\(result.errors)")
    }

    @Test("A copy for standard output is printed instead of the explanation")
    func printedCopy() async {
        let result = await run(["-", "--redact", "-"], input: ["AADSTS50011 of zoe\n"])
        #expect(result.code == .done && result.output == "AADSTS50011 of …\n", "\(result.output)")
        #expect(!FileManager.default.fileExists(atPath: "-"))
        #expect(await run(["AADSTS50011", "--case", "-"]).code == .usage)
    }

    @Test("A text to hide needs a copy, and isn't in it")
    func hides() async {
        let result = await run(["-", "--redact", "-", "--hide", "aadsts50011"], input: ["Failed: AADSTS50011\n"])
        #expect(result.code == .done && result.output == "Failed: …\n", "\(result.output)")
        #expect(result.errors.contains("The copy shows another cause."))
        let alone = await run(["AADSTS50011", "--hide", "x"])
        #expect(alone.code == .usage && alone.errors.contains("--hide needs --redact, --case or --review."))
        #expect(await run(["AADSTS50011", "--redact", "-", "--hide", ""]).code == .usage)
    }

    @Test("An input without a failure says what it is, not that everything is in order")
    func noFailure() async {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2EiLCJzdWIiOiJiIn0.c2ln"
        let result = await run([token, "--offline", "--answer", "user"])
        #expect(result.code == .failed && result.errors.contains("A JSON Web Token (JWT) from https://a"))
        #expect(!result.errors.contains("no problem"))
    }

    @Test("A comparison as JSON, and inputs that can't be compared")
    func besideForPrograms() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".har")
        try Data(Self.rejected.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = await run(["-", "--beside", file.path, "-o", "json"], input: [Self.rejected])
        #expect(
            result.code == .done && result.output.filter { $0 != " " }.contains("\"isDifferent\":false"),
            "\(result.output)")
        let missing = await run(["-", "--beside", file.path + ".none"], input: [Self.rejected])
        #expect(missing.code == .failed && missing.errors.contains("The file for --beside doesn't exist."))
        let empty = await run(["AADSTS50011", "--beside", file.path])
        #expect(empty.errors.contains("The input contains no sign-in requests or values to compare."))
    }
}
