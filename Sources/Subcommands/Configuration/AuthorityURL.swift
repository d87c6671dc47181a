import Foundation
import OAuthCore

/// Reads the address of an authority as a person writes it.
package enum AuthorityURL {
    package struct Mistake: Error, Sendable, Equatable {
        package var problem: String
        package var remedy: String
    }

    package static func read(_ text: String) throws(Mistake) -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw Mistake(
                problem: "\"\(text)\" is not an address", remedy: "Write it in full: https://login.example.org/tenant")
        }
        guard url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
            throw Mistake(problem: "\"\(text)\" is not encrypted", remedy: "Write https; http is for this machine only")
        }
        return url
    }
}
