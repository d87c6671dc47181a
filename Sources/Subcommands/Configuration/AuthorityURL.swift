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
        guard url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
            throw Mistake(problem: "\"\(text)\" is not encrypted", remedy: "Use https; http is for this computer only")
        }
        return url.issuerAddress
    }
}
