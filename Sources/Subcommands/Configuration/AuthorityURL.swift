import Foundation
import OAuthCore

/// Reads the address of an authority as a user writes it. The address of a metadata document stands for its issuer.
package enum AuthorityURL {
    package struct Mistake: Error, Sendable, Equatable {
        package var problem: String
        package var remedy: String
    }

    package static func read(_ text: String) throws(Mistake) -> URL {
        if let port = text.impossiblePort {
            throw Mistake(
                problem: "\"\(text)\" has the port \(port), and ports are numbers from 1 to 65535",
                remedy: "Correct the port, or leave it out")
        }
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw Mistake(
                problem: "\"\(text)\" is not an address", remedy: "Write it in full: https://login.example.org/tenant")
        }
        guard url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
            throw Mistake(problem: "\"\(text)\" is not encrypted", remedy: "Write https; http is for this machine only")
        }
        return url.issuerAddress
    }
}
