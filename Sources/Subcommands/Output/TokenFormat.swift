import Foundation
import MSAL

/// How a token is written on standard output.
package enum TokenFormat: String, Sendable, CaseIterable {
    case token, json, header, env
    case execCredential = "exec-credential"

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue),
        "how to write it; token unless given")

    /// Throws when there is no access token: a program that gets an empty one goes on without it.
    ///
    /// - Parameter execInfo: what the Kubernetes client said that runs this, if one does.
    func text(_ result: MSALResult, execInfo: KubernetesExecInfo) throws(CommandFailure) -> String {
        guard !result.accessToken.isEmpty else { throw Self.noAccessToken }
        switch self {
        case .token: return try Self.printable(result.accessToken) + "\n"
        // As `curl -H @-` reads it.
        case .header:
            // A token with a space would pass as several words.
            let words = [result.accessToken] + result.authorizationHeader.split(separator: " ").map(String.init)
            for word in words { _ = try Self.printable(word) }
            return "Authorization: \(result.authorizationHeader)\n"
        case .json: return JSONText.document(TokenDocument(result))
        case .env: return try Self.assignments(result)
        case .execCredential:
            return JSONText.document(
                ExecCredentialDocument(
                    token: try Self.printable(result.accessToken), expiresOn: result.expiresOn,
                    apiVersion: execInfo.apiVersion))
        }
    }

    private static let noAccessToken = CommandFailure(
        .failed, name: "noAccessToken", "The response has an ID token but no access token.",
        nextStep: "Request a scope of a resource with --scope. 'keyturn claims' shows the ID token.")

    /// As `eval` and `.` of a POSIX shell read it.
    private static func assignments(_ result: MSALResult) throws(CommandFailure) -> String {
        let values = [
            ("KEYTURN_ACCESS_TOKEN", try printable(result.accessToken)),
            ("KEYTURN_TOKEN_TYPE", result.authenticationScheme),
            ("KEYTURN_EXPIRES_ON", result.expiresOn?.ISO8601Format() ?? ""),
        ]
        return values.map { "export \($0)=\(quoted($1))\n" }.joined()
    }

    /// In single quotes nothing means anything but their end (POSIX §2.2.2).
    private static func quoted(_ value: String) -> String {
        "'" + value.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    /// A token is visible ASCII without spaces (RFC 6750 §2.1). Anything else could write another header, or command the terminal.
    private static func printable(_ token: String) throws(CommandFailure) -> String {
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                .failed, name: "malformedToken", "The access token holds characters that no token may hold.",
                nextStep: "Look at it with -o json, and ask whoever runs the authority.")
        }
        return token
    }
}
