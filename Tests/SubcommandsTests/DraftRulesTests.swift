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
        Row(field: .authority, text: "", verdict: .notChecked, says: "Not answered"),
        Row(
            field: .authority, text: "https://login.microsoftonline.com/contoso.com", verdict: .good,
            says: "Microsoft Entra ID, tenant contoso.com"),
        Row(
            field: .authority, text: "https://login.microsoftonline.com/common", verdict: .good,
            says: "any work, school or personal account"),
        Row(
            field: .authority, text: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin",
            verdict: .good, says: "policy B2C_1_signin"),
        Row(field: .authority, text: "https://contoso.ciamlogin.com", verdict: .good, says: "External ID"),
        Row(field: .authority, text: "https://accounts.google.com", verdict: .good, says: "OpenID"),
        Row(
            field: .authority, text: "http://127.0.0.1:8400/common", kind: .entra, verdict: .good,
            says: "Microsoft Entra ID"),
        Row(field: .authority, text: "contoso.com", verdict: .wrong, says: "not an address"),
        Row(field: .authority, text: "http://localhost:99999", verdict: .wrong, says: "port 99999"),
        Row(field: .certificates, text: "/dev/null", verdict: .wrong, says: "not a regular file"),
        Row(field: .certificates, text: "/none/ca.pem", verdict: .wrong, says: "cannot be read"),
        Row(field: .authority, text: "http://login.example.org", verdict: .wrong, says: "https"),
        Row(field: .authority, text: "https://adfs.contoso.com/adfs", verdict: .wrong, says: "AD FS"),
        Row(field: .authority, text: "https://login.microsoftonline.com", verdict: .wrong, says: "tenant"),
        Row(field: .clientID, text: "", verdict: .notChecked, says: "Not answered"),
        Row(field: .clientID, text: "11111111-2222-3333-4444-555555555555", verdict: .good, says: "GUID"),
        Row(field: .clientID, text: "my-app", verdict: .wrong, says: "11111111-2222"),
        Row(field: .clientID, text: "日本", verdict: .wrong, says: "characters"),
        Row(field: .redirectURI, text: "http://localhost", verdict: .good, says: "comes back"),
        Row(field: .redirectURI, text: "http://127.0.0.1:8400/back", verdict: .good, says: "comes back"),
        Row(field: .redirectURI, text: "msauth.org.keyturn.app://auth", verdict: .good, says: "register"),
        Row(field: .redirectURI, text: "msauth.elsewhere://auth", verdict: .wrong, says: "registered"),
        Row(field: .redirectURI, text: "urn:ietf:wg:oauth:2.0:oob", verdict: .wrong, says: "msauth.org.keyturn.app"),
        Row(field: .redirectURI, text: "http://localhost#x", verdict: .wrong, says: "fragment"),
        Row(field: .name, text: String(repeating: "x", count: 41), verdict: .wrong, says: "long"),
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
        #expect(judgement[.redirectURI]?.verdict == .good)
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
        #expect(judgement.findings.values.allSatisfy { $0.verdict == .good }, "\(judgement)")
        #expect(judgement.firstObstacle == nil)
    }
}
