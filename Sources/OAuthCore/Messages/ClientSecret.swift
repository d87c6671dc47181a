import Foundation

/// A client's secret, and how the client presents it (RFC 6749 §2.3.1): one that a server issued to this installation when it
/// registered (RFC 7591 §3.2.1), or one that a provider hands out with its desktop applications.
package struct ClientSecret: Sendable, Equatable {
    package enum Method: String, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"

        /// The method for a server that lists these for its token endpoint (RFC 8414 §2), or `nil` if it accepts no secret. The
        /// default of an empty list is the header, but most such servers read the form. A list that has only `none` is often
        /// incomplete.
        package init?(among listed: [String]) {
            let named = [Self.post, .basic].first { listed.contains($0.rawValue) }
            guard let method = named ?? (listed.isEmpty || listed.contains("none") ? .post : nil) else { return nil }
            self = method
        }
    }

    /// In bytes.
    package static let maximumLength = 1024

    /// Whether a text can be a client secret: visible ASCII and spaces (RFC 6749 appendix A.2).
    package static func isOne(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    package var value: Secret
    package var method: Method

    package init(_ value: Secret, _ method: Method) { (self.value, self.method) = (value, method) }
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
    package var basicCredentials: (clientID: String, secret: String)? {
        guard let field = headers["Authorization"], field.hasPrefix("Basic "),
            let name = Data(base64Encoded: String(field.dropFirst(6))),
            case let text = String(decoding: name, as: UTF8.self),
            case let halves = text.split(separator: ":", omittingEmptySubsequences: false), halves.count == 2
        else { return nil }
        return (Parameters.decode(halves[0]), Parameters.decode(halves[1]))
    }
}
