import Console
import Diagnosis
import Testing

@testable import Subcommands

@Suite("The library's rules for a draft")
struct DraftRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var field: ProfileDraft.Field
        var text: String
        var kind: ProviderKind? = nil
        var verdict: CheckFinding.Verdict
        /// A part of the finding.
        var says: String

        var testDescription: String { "\(field.title) \(text)" }
    }

    static let rows: [Row] = [
        Row(field: .authority, text: "", verdict: .skipped, says: "Not entered"),
        Row(
            field: .authority, text: "https://login.microsoftonline.com/contoso.com", verdict: .passed,
            says: "Microsoft Entra ID, tenant contoso.com"),
        Row(
            field: .authority, text: "https://login.microsoftonline.com/common", verdict: .passed,
            says: "any work, school or personal account"),
        Row(
            field: .authority, text: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin",
            verdict: .passed, says: "policy B2C_1_signin"),
        Row(field: .authority, text: "https://contoso.ciamlogin.com", verdict: .passed, says: "External ID"),
        Row(field: .authority, text: "https://accounts.google.com", verdict: .passed, says: "OpenID"),
        Row(
            field: .authority, text: "http://127.0.0.1:8400/common", kind: .entra, verdict: .passed,
            says: "Microsoft Entra ID"),
        Row(field: .authority, text: "contoso.com", verdict: .failed, says: "not a URL"),
        Row(field: .authority, text: "http://localhost:99999", verdict: .failed, says: "port 99999"),
        Row(field: .clientSecret, text: "GOCSPX ü", verdict: .failed, says: "Not a client secret"),
        Row(field: .certificates, text: "/dev/null", verdict: .failed, says: "not a regular file"),
        Row(field: .certificates, text: "/none/ca.pem", verdict: .failed, says: "is unreadable"),
        Row(field: .authority, text: "http://login.example.org", verdict: .failed, says: "https"),
        Row(field: .authority, text: "https://adfs.contoso.com/adfs", verdict: .failed, says: "AD FS"),
        Row(field: .authority, text: "https://login.microsoftonline.com", verdict: .failed, says: "tenant"),
        Row(field: .clientID, text: "", verdict: .skipped, says: "Not entered"),
        Row(field: .clientID, text: "11111111-2222-3333-4444-555555555555", verdict: .passed, says: "GUID"),
        Row(field: .clientID, text: "my-app", verdict: .failed, says: "11111111-2222"),
        Row(field: .clientID, text: "日本", verdict: .failed, says: "characters"),
        Row(field: .redirectURI, text: "http://localhost", verdict: .passed, says: "returns to this program"),
        Row(field: .redirectURI, text: "http://127.0.0.1:8400/back", verdict: .passed, says: "returns to this program"),
        Row(field: .redirectURI, text: "msauth.org.keyturn.app://auth", verdict: .passed, says: "register"),
        Row(
            field: .redirectURI, text: "msauth.elsewhere://auth", verdict: .failed,
            says: "doesn't use the scheme"),
        Row(field: .redirectURI, text: "urn:ietf:wg:oauth:2.0:oob", verdict: .failed, says: "msauth.org.keyturn.app"),
        Row(field: .redirectURI, text: "http://localhost#x", verdict: .failed, says: "fragment"),
        Row(field: .scopes, text: "User.Read \"Mail\"", verdict: .failed, says: "\"\"Mail\"\" is not a scope"),
        Row(field: .scopes, text: "é", verdict: .failed, says: "is not a scope"),
        Row(field: .name, text: String(repeating: "x", count: 41), verdict: .failed, says: "long"),
    ]

    @Test("Each field by itself", arguments: rows)
    func answers(_ row: Row) throws {
        var draft = ProfileDraft(
            kind: row.kind, authority: "https://login.microsoftonline.com/contoso.com", clientID: "1",
            redirectURI: "http://localhost", name: "a")
        draft[row.field] = row.text
        let finding = try #require(DraftRules(draft: draft).judge()[row.field])
        #expect(finding.verdict == row.verdict)
        #expect("\(finding.fact) \(finding.fix ?? "")".contains(row.says), "\(finding)")
    }

    @Test("A field is checked although others are missing", arguments: ProviderKind.allCases)
    func alone(kind: ProviderKind) {
        let judgement = DraftRules(draft: ProfileDraft(kind: kind, redirectURI: "http://localhost")).judge()
        #expect(judgement[.redirectURI]?.verdict == .passed)
        #expect(judgement.firstObstacle == .authority)
    }

    @Test("Scopes that are always requested may be listed")
    func alwaysRequested() {
        let draft = ProfileDraft(
            kind: .openID, authority: "https://login.example.org", clientID: "a", redirectURI: "http://localhost",
            scopes: "openid profile email offline_access", name: "a")
        #expect(DraftRules(draft: draft).judge().firstObstacle == nil)
    }

    @Test("Every provider's example passes the rules", arguments: ProviderKind.allCases)
    func examples(kind: ProviderKind) {
        let draft = ProfileDraft(
            kind: kind, authority: kind.example(of: .authority), clientID: kind.example(of: .clientID),
            redirectURI: kind.example(of: .redirectURI), scopes: kind.example(of: .scopes), name: "a")
        let judgement = DraftRules(draft: draft).judge()
        #expect(judgement.findings.values.allSatisfy { $0.verdict == .passed }, "\(judgement)")
        #expect(judgement.firstObstacle == nil)
    }
}
