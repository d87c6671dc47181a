import Foundation
import JSON
import KeyturnSystem
import MSAL
import TerminalUI

package enum TokenFormat: String, Sendable, CaseIterable {
    case token, json, header, headers, env
    case execCredential = "exec-credential"

    static let option = Option("output", of: "token", short: "o", argument: "FORMAT", choices: allCases.map(\.rawValue))

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
            "apiVersion": .string(apiVersion), "kind": "ExecCredential",
            "status": JSONValue(members: [
                // RFC 3339, UTC. The client caches the token until then.
                "expirationTimestamp": (expiresOn?.ISO8601Format()).map(JSONValue.string), "token": .string(token),
            ]),
        ]
    }
}

struct PrintedToken {
    let text: String
    /// The scheme of the Authorization header.
    let scheme: String
    let expiresOn: Date?
    let variable: String
}

extension PrintedToken {
    /// Throws if the result hasn't this token, because a script would continue with an empty one.
    init(_ kind: TokenKind, of result: MSALResult) throws(Failure) {
        switch kind {
        case .access:
            guard !result.accessToken.isEmpty else {
                throw Failure(
                    .failed, name: "noAccessToken", "The response has an ID token but no access token.",
                    nextStep: "Request a scope of a resource with --scope. 'keyturn claims' shows the ID token.")
            }
            self.init(
                text: result.accessToken, scheme: result.authenticationScheme, expiresOn: result.expiresOn,
                variable: "KEYTURN_ACCESS_TOKEN")
        case .id:
            guard let token = result.idToken, !token.isEmpty else {
                throw Failure(
                    .failed, name: "noIDToken",
                    "The response has no ID token: the server doesn't support OpenID Connect.",
                    nextStep: "Use --token access.")
            }
            self.init(text: token, scheme: "Bearer", expiresOn: result.idTokenExpiry, variable: "KEYTURN_ID_TOKEN")
        }
    }

    /// After a refresh that brought no newer ID token.
    static let expired = Failure(
        .interactionRequired, name: "idTokenExpired",
        "The ID token has expired, and the authority sends no new one with a refresh.",
        nextStep: "Run 'keyturn sign-in'.")
}

extension MSALResult {
    fileprivate var idTokenExpiry: Date? {
        let value = tenantProfile.claims?["exp"]
        return ((value as? Int).map(Double.init) ?? value as? Double).map { Date(timeIntervalSince1970: $0) }
    }

    func hasIDToken(at now: Date, for seconds: TimeInterval) -> Bool {
        idToken != nil && (idTokenExpiry.map { $0 > now.addingTimeInterval(seconds) } ?? true)
    }
}

/// The request of a Kubernetes client (`KUBERNETES_EXEC_INFO`, an `ExecCredential` of client.authentication.k8s.io).
struct KubernetesExecInfo: Sendable, Equatable {
    var apiVersion = "client.authentication.k8s.io/v1"
    var isInteractive = true

    /// Uses the defaults if the variable is missing or invalid.
    init(_ environment: [String: String]) {
        guard let text = environment["KUBERNETES_EXEC_INFO"],
            let request = try? KubernetesExecInfo(JSONValue(parsing: text))
        else { return }
        self = request
    }

    private init(_ request: JSONValue) throws {
        apiVersion = try request.required("apiVersion", \.string)
        let spec = try request.optional("spec", \.object)
        isInteractive = try spec.map(JSONValue.object)?.optional("interactive", \.bool) ?? true
    }

    /// The supported versions, which have the same members.
    private static let known = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    /// Rejects an unsupported version before any sign-in.
    func checkVersion() throws(Failure) {
        guard !Self.known.contains(apiVersion) else { return }
        throw Failure(
            .configuration, name: "execInfoVersion",
            "Unsupported ExecCredential version: \(Printable.sanitize(String(apiVersion.prefix(80)))).",
            nextStep: "Set 'apiVersion: \(Self.known[0])' under 'exec' in the kubeconfig, "
                + "or update the client: v1 needs kubectl 1.22.")
    }
}
