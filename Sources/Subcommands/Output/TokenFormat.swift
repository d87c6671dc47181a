import Foundation
import JSON
import KeyturnSystem
import MSAL

/// The output format of a token.
package enum TokenFormat: String, Sendable, CaseIterable {
    case token, json, header, headers, env
    case execCredential = "exec-credential"

    static let option = Option(
        "output", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue), standard: "token",
        elsewhere: OutputFormat.elsewhere, "Output format")

    /// Throws if there is no such token.
    func text(
        _ result: MSALResult, _ kind: TokenKind = .access, execInfo: KubernetesExecInfo
    ) throws(Failure) -> String {
        let printed = try PrintedToken(kind, of: result)
        switch self {
        case .token: return try Self.printable(printed.text) + "\n"
        // For `curl -H @-`.
        case .header:
            return "Authorization: \(try Self.printable(printed.scheme)) \(try Self.printable(printed.text))\n"
        case .headers:
            let value = "\(try Self.printable(printed.scheme)) \(try Self.printable(printed.text))"
            return JSONValue.object(["Authorization": .string(value)]).serialized + "\n"
        case .json: return result.tokenJSON.document
        case .env: return try Self.assignments(printed)
        case .execCredential:
            return result.execCredentialJSON(
                token: try Self.printable(printed.text), expiresOn: printed.expiresOn, apiVersion: execInfo.apiVersion
            ).document
        }
    }

    /// Assignments for `eval` in a POSIX shell.
    private static func assignments(_ token: PrintedToken) throws(Failure) -> String {
        let values = [
            (token.variable, try printable(token.text)), ("KEYTURN_TOKEN_TYPE", token.scheme),
            ("KEYTURN_EXPIRES_ON", token.expiresOn?.ISO8601Format() ?? ""),
        ]
        return values.map { "export \($0)=\(ShellWords.quoted($1))\n" }.joined()
    }

    /// Rejects a token with anything but visible ASCII (RFC 6750 §2.1), which could add a header or control the terminal.
    static func printable(_ token: String) throws(Failure) -> String {
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                .failed, name: "malformedToken", "The access token contains invalid characters.",
                nextStep: "Show it with -o json, and report it to the authority's operator.")
        }
        return token
    }
}

extension MSALResult {
    /// The output of `token -o json` (docs/output.schema.json). New members can appear; existing ones are stable.
    var tokenJSON: JSONValue {
        JSONValue(members: [
            "accessToken": .string(accessToken), "tokenType": .string(authenticationScheme),
            // RFC 3339, UTC.
            "expiresOn": (expiresOn?.ISO8601Format()).map(JSONValue.string), "scopes": JSONValue(scopes),
            "signInEndsOn": (signInExpiry?.date.ISO8601Format()).map(JSONValue.string),
            "signInEndReason": (signInExpiry?.basis.rawValue).map(JSONValue.string),
            "account": accountJSON, "authority": isCarried ? nil : .string(authority.url.absoluteString),
            "idToken": idToken.map(JSONValue.string),
            "correlationId": isCarried ? nil : .string(correlationId.uuidString),
            "fromCache": isCarried ? nil : .bool(isFromCache),
            // Why the tokens could not be cached.
            "cachingError": (cachingError?.localizedDescription).map(JSONValue.string),
        ])
    }

    /// The output of `token -o exec-credential` for Kubernetes clients (`ExecCredential` of client.authentication.k8s.io).
    func execCredentialJSON(token: String, expiresOn: Date?, apiVersion: String) -> JSONValue {
        [
            "apiVersion": .string(apiVersion),
            "kind": "ExecCredential",
            "status": JSONValue(members: [
                // RFC 3339, UTC. The client caches the token until then.
                "expirationTimestamp": (expiresOn?.ISO8601Format()).map(JSONValue.string),
                "token": .string(token),
            ]),
        ]
    }
}
