import DemoAuthority
import Foundation
import JSON
import TerminalUI

/// The output of `keyturn authority`. The first line is the URL alone, for scripts.
struct AuthorityNotice {
    var server: DemoAuthorityServer
    var scenario: Scenario
    var faults: [Fault]
    /// The path of the certificate, with TLS.
    var certificateFile: String?
    /// The width of the terminal; `nil` for lines of any length.
    var columns: Int?

    var text: String {
        """
        \(server.origin.absoluteString)

        Configuration for Keyturn:
        \(configuration)
        For other OpenID clients: client ID \(server.clientID), issuer
        \(server.openIDIssuer.absoluteString)

        \(wrapped("Scenario: \(scenario.title). \(scenario.story)"))
        \(faults.map { "\(wrapped("Fault: \($0.behaviour)"))\n" }.joined())
        \(trust)Users and passwords:
        \(UserHints.table(server.directory.users))
        """
    }

    private func wrapped(_ line: String) -> String {
        columns.map { TextFitting.hang(line, after: "", to: $0).joined(separator: "\n") } ?? line
    }

    private var trust: String {
        guard let certificateFile else { return "" }
        return """
            The certificate is for this run. Clients must trust this file:
              keyturn --ca-file \(certificateFile) sign-in
              curl --cacert \(certificateFile) \(server.origin.absoluteString)
            Browsers show a warning first.


            """
    }

    private var configuration: String {
        let profile = DemoSetting.profile(of: server, for: scenario.client)
        let entry = JSONValue(members: [
            "clientId": .string(profile.clientID),
            "authority": .string(profile.authority.absoluteString),
            "authorityType": (profile.authorityType?.rawValue).map(JSONValue.string),
            "knownAuthorities": JSONValue(profile.knownAuthorities.map(\.absoluteString)),
            "scopes": JSONValue(profile.scopes),
        ])
        return JSONValue.object(["profiles": .object([profile.name: entry])]).document
    }
}
