import Foundation
import OAuthCore

/// Reads the URL of an authority. Accepts the URL of a metadata document for its issuer.
package enum AuthorityURL {
    package struct Mistake: Error, Sendable, Equatable {
        package var problem: String
        package var remedy: String
    }

    package static func read(_ text: String) throws(Mistake) -> URL {
        if let port = text.impossiblePort {
            throw Mistake(
                problem: "\"\(text)\" has the invalid port \(port)",
                remedy: "Use a port from 1 to 65535, or none")
        }
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw Mistake(
                problem: "\"\(text)\" is not a URL",
                remedy: "Enter the whole URL, for example https://login.example.org/tenant")
        }
        let scheme = url.lowercasedScheme
        guard scheme == "https" || (scheme == "http" && url.isLoopback) else {
            throw Mistake(
                problem: "\"\(text)\" is not encrypted",
                remedy: scheme == "http" ? "Use https: http works only on this computer" : "Use https")
        }
        // Schemes ignore case (RFC 3986 §3.1).
        return (URL(string: scheme + text.dropFirst(scheme.count)) ?? url).issuerAddress
    }
}
