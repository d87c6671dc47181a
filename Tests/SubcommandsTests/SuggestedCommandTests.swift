import Testing

@testable import Subcommands

@Suite("Commands that errors suggest")
struct SuggestedCommandTests {
    @Test(
        "Have the user's profile and scopes",
        arguments: [
            ("token --profile work --scope phone", "Run 'keyturn sign-in --profile work --scope phone'."),
            (
                "--profile work token --scope a --scope b --account zoe@example.com",
                "Run 'keyturn sign-in --profile work --scope a --scope b --login-hint zoe@example.com'."
            ),
            (
                "token --client-id a --client-secret-file f --resource https://a.example --as me",
                "Run 'keyturn sign-in --client-id a --client-secret-file f --resource https://a.example --as me'."
            ),
            ("token --account 0f1e.2d3c", "Run 'keyturn sign-in'."),
            ("token --min-validity 5 -q", "Run 'keyturn sign-in'."),
            ("token --client-id a\u{1B}b", "Run 'keyturn sign-in --client-id ab'."),
            ("token --client-id a$b", "Run 'keyturn sign-in --client-id \"a\\$b\"'."),
            ("token --client-id a`b", "Run 'keyturn sign-in --client-id \"a\\`b\"'."),
        ])
    func signIn(line: String, suggested: String) throws {
        #expect(try complete("Run 'keyturn sign-in'.", after: line) == suggested)
    }

    @Test("Get a required argument, and keep existing ones")
    func others() throws {
        let text = "Use 'keyturn sign-in --method paste', 'keyturn check' or 'keyturn demo'."
        #expect(
            try complete(text, after: "token --profile work --scope a")
                == "Use 'keyturn sign-in --profile work --scope a --method paste', 'keyturn check --profile work' or "
                + "'keyturn demo'.")
    }

    private func complete(_ text: String, after line: String) throws -> String {
        guard case .run(_, let options) = try Invocation.read(line.split(separator: " ").map(String.init)) else {
            return ""
        }
        return SuggestedCommand(options).complete(text)
    }
}
