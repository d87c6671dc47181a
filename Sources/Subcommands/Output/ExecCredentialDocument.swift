import Foundation

/// `token -o exec-credential`: what a Kubernetes client reads from a credential plugin (`ExecCredential` of
/// client.authentication.k8s.io).
struct ExecCredentialDocument: Encodable, Equatable {
    struct Status: Encodable, Equatable {
        /// RFC 3339, UTC: until then the client keeps the token.
        var expirationTimestamp: String?
        var token: String
    }

    var apiVersion: String
    let kind = "ExecCredential"
    var status: Status

    init(token: String, expiresOn: Date?, apiVersion: String) {
        self.apiVersion = apiVersion
        status = Status(expirationTimestamp: expiresOn?.ISO8601Format(), token: token)
    }
}
