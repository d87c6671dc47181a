import Foundation
import OAuthCore
import Testing

@testable import Subcommands

@Suite("git's credential protocol")
struct GitCredentialTests {
    private static let bearer = "capability[]=authtype\nwwwauth[]=Bearer realm=\"a\""

    @Test(
        "git gets the token for Authorization: Bearer if it can send that and the host asks for it, else as a password",
        arguments: [
            ("", "username=oauth2\npassword=t\n"), ("username=ann", "username=ann\npassword=t\n"),
            (bearer, "capability[]=authtype\nauthtype=Bearer\ncredential=t\nephemeral=1\n"),
            ("capability[]=authtype\nwwwauth[]=Basic realm=\"a\"", "username=oauth2\npassword=t\n"),
            ("wwwauth[]=Bearer realm=\"a\"", "username=oauth2\npassword=t\n"),
            ("\(bearer)\nwwwauth[]=", "username=oauth2\npassword=t\n"),
            ("\n\(bearer)", "username=oauth2\npassword=t\n"),
        ])
    func response(attributes: String, expected: String) {
        let given = GitCredential(attributes + "\n")
        #expect(given.response(token: "t", expiresOn: nil) == expected)
        let expiry = Date(timeIntervalSince1970: 5)
        #expect(given.response(token: "t", expiresOn: expiry) == "\(expected)password_expiry_utc=5\n")
    }

    @Test(
        "The username of a URL names the account if it can be one",
        arguments: [
            ("ann@contoso.example", .aad, "ann@contoso.example"), ("ann", .aad, nil), ("ann", .oauth, "ann"),
            ("git", .oauth, nil), ("oauth2", .oauth, nil), ("x-access-token", .oauth, nil), ("ann", nil, nil),
        ] as [(String, AuthorityKind?, String?)])
    func account(username: String, kind: AuthorityKind?, expected: String?) {
        #expect(GitCredential("username=\(username)\n").accountName(at: kind) == expected)
    }

    @Test("A folder on the PATH with git's name isn't git")
    func folder() throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let (other, file) = (folder.path + "/bin", folder.path + "/bin/git")
        for name in ["git", "bin"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
        }
        #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o755]))
        for (path, expected) in [(folder.path, nil), ("\(folder.path):\(other)", file)] {
            #expect(ExternalProgram.path(of: "git", in: ["PATH": path]) == expected)
        }
        #expect(ExternalProgram.path(of: other, in: [:]) == nil)
    }

    @Test("The address has no letter case, and the last value of an attribute counts")
    func attributes() {
        let given = GitCredential("protocol=HTTPS\nhost=a\nhost=B.example:8443\nno attribute\n=x\npassword=p=q\n")
        #expect(given.address == "https://b.example:8443" && given.token == "p=q")
        #expect(GitCredential("host=a\n").address == nil)
    }
}
