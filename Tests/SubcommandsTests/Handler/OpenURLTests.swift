import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Opened URLs")
struct OpenURLTests {
    private func keyturn(_ arguments: String...) async -> (exitCode: ExitCode, errors: String) {
        let errors = MemorySink()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keyturn-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_DATA_HOME": folder.path]
        let exitCode = await Program.run(arguments, in: .test(environment, errors: errors))
        return (exitCode, errors.text)
    }

    @Test("Without a waiting sign-in, the code is not repeated")
    func nothingWaits() async {
        let (exitCode, errors) = await keyturn("open-url", "msauth.org.keyturn.app://auth?code=SECRET&state=none")
        #expect(exitCode == .failed)
        #expect(errors.hasPrefix("keyturn: No sign-in is waiting."))
        #expect(!errors.contains("SECRET"))
    }

    @Test("Invalid URLs", arguments: ["", "auth?code=1", "://auth"])
    func noAddress(text: String) async {
        #expect(await keyturn("open-url", text).exitCode == .usage)
    }

    @Test("After --, a URL is never an option", arguments: ["--help", "--config=/etc/passwd", "-h"])
    func neverAnOption(text: String) async {
        let (exitCode, errors) = await keyturn("open-url", "--", text)
        #expect(exitCode == .usage)
        #expect(errors.hasPrefix("keyturn: Not a URL."))
    }

    @Test("Each result has its own text", arguments: MSALHandOverOutcome.allCases)
    func outcomes(outcome: MSALHandOverOutcome) {
        let failure = outcome.failure
        #expect((failure == nil) == (outcome == .delivered))
        let others = MSALHandOverOutcome.allCases.filter { $0 != outcome }.compactMap(\.failure)
        #expect(!others.map(\.reason).contains(failure?.reason ?? ""))
    }

    @Test(
        "A redirect URI without a custom scheme needs no handler",
        arguments: ["http://localhost", "https://app.contoso.example/auth"])
    func noScheme(redirectURI: String) async {
        let (exitCode, errors) = await keyturn(
            "register", "--client-id", "1", "--authority", "https://login.example.org/t/v2", "--redirect-uri",
            redirectURI)
        #expect(exitCode == .configuration)
        #expect(errors.contains(redirectURI))
    }
}
