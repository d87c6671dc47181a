import Foundation

/// The secret that a server issued to this installation when it registered (RFC 7591 §3.2.1), and how the client presents
/// it (RFC 6749 §2.3.1).
package struct ClientSecret: Sendable, Equatable {
    package enum Method: String, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    package var value: Secret
    package var method: Method

    package init(_ value: Secret, _ method: Method) {
        self.value = value
        self.method = method
    }
}

extension Parameters {
    /// Identifies the client of a request, in the form or in the header, with its secret if it has one. A client must use only
    /// one way.
    mutating func identify(_ clientID: String, _ secret: ClientSecret?, _ headers: inout HTTPHeaders) {
        switch secret?.method {
        case .basic:
            let name = [clientID, secret?.value.reveal() ?? ""].map(Self.encode).joined(separator: ":")
            headers["Authorization"] = "Basic \(Data(name.utf8).base64EncodedString())"
        case .post, nil:
            self["client_id"] = clientID
            self["client_secret"] = secret?.value.reveal()
        }
    }
}

extension HTTPRequest {
    /// The client ID and secret in the `Authorization` header.
    package var basicCredentials: (clientID: String, secret: String)? {
        guard let field = headers["Authorization"], field.hasPrefix("Basic "),
            let name = Data(base64Encoded: String(field.dropFirst(6))),
            case let halves = String(decoding: name, as: UTF8.self).split(
                separator: ":", omittingEmptySubsequences: false),
            halves.count == 2
        else { return nil }
        return (Parameters.decode(halves[0]), Parameters.decode(halves[1]))
    }
}
