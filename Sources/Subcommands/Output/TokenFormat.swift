import Foundation
import MSAL

/// The output format of a token.
package enum TokenFormat: String, Sendable, CaseIterable {
    case token, json, header, env
    case execCredential = "exec-credential"

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue), standard: "token",
        "Output format")

    /// Throws if there is no access token, because a script would continue with an empty one.
    func text(_ result: MSALResult, execInfo: KubernetesExecInfo) throws(Failure) -> String {
        guard !result.accessToken.isEmpty else { throw Self.noAccessToken }
        switch self {
        case .token: return try Self.printable(result.accessToken) + "\n"
        // For `curl -H @-`.
        case .header:
            // A space in a token would split it into words.
            let words = [result.accessToken] + result.authorizationHeader.split(separator: " ").map(String.init)
            for word in words { _ = try Self.printable(word) }
            return "Authorization: \(result.authorizationHeader)\n"
        case .json: return result.tokenJSON.document
        case .env: return try Self.assignments(result)
        case .execCredential:
            let token = try Self.printable(result.accessToken)
            return result.execCredentialJSON(token: token, apiVersion: execInfo.apiVersion).document
        }
    }

    private static let noAccessToken = Failure(
        .failed, name: "noAccessToken", "The response has an ID token but no access token.",
        nextStep: "Request a scope of a resource with --scope. 'keyturn claims' shows the ID token.")

    /// Assignments for `eval` in a POSIX shell.
    private static func assignments(_ result: MSALResult) throws(Failure) -> String {
        let values = [
            ("KEYTURN_ACCESS_TOKEN", try printable(result.accessToken)),
            ("KEYTURN_TOKEN_TYPE", result.authenticationScheme),
            ("KEYTURN_EXPIRES_ON", result.expiresOn?.ISO8601Format() ?? ""),
        ]
        return values.map { "export \($0)=\(quoted($1))\n" }.joined()
    }

    /// Quotes a value for a shell (POSIX §2.2.2).
    private static func quoted(_ value: String) -> String {
        "'" + value.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    /// Rejects a token with anything but visible ASCII (RFC 6750 §2.1), which could add a header or control the terminal.
    private static func printable(_ token: String) throws(Failure) -> String {
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                .failed, name: "malformedToken", "The access token contains invalid characters.",
                nextStep: "Show it with -o json, and report it to the authority's operator.")
        }
        return token
    }
}
