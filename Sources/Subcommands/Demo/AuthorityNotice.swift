import DemoAuthority
import Foundation

/// What `keyturn authority` prints: its first line is the address alone, for scripts.
struct AuthorityNotice {
    var server: DemoAuthorityServer
    var scenario: Scenario
    /// Where its certificate is, when it speaks TLS.
    var certificateFile: String?

    var text: String {
        """
        \(server.origin.absoluteString)

        Sign in there with this configuration:
        \(configuration)
        or with any OpenID client, with the client ID \(server.clientID) and the issuer
        \(server.openIDIssuer.absoluteString)

        \(scenario.title): \(scenario.story)

        \(trust)People and their passwords:
        \(PeopleHints.table(server.directory.people))
        """
    }

    private var trust: String {
        guard let certificateFile else { return "" }
        return """
            Its certificate was made for this run. Whoever shall trust it needs this file, as --ca-file does here:
              keyturn --ca-file \(certificateFile) sign-in
              curl --cacert \(certificateFile) \(server.origin.absoluteString)
            A browser asks once whether to go on.


            """
    }

    private var configuration: String {
        let profile = DemoSetting.profile(of: server, for: scenario.client)
        let entry = Entry(
            clientId: profile.clientID, authority: profile.authority.absoluteString,
            authorityType: profile.authorityType?.rawValue,
            knownAuthorities: profile.knownAuthorities.map(\.absoluteString), scopes: profile.scopes)
        return JSONText.document(["profiles": [profile.name: entry]])
    }

    private struct Entry: Encodable {
        var clientId: String
        var authority: String
        var authorityType: String?
        var knownAuthorities: [String]
        var scopes: [String]
    }
}
