import Foundation
import KeyturnSystem
import OAuthCore

/// A browser's cookies for one server (RFC 6265 §5). Sign-ins that share a jar use the same browser.
package final class CookieJar: Sendable {
    private struct Cookie: Sendable {
        var value: String
        var path: String
    }

    private let cookies = Locked<[String: Cookie]>([:])

    package init() {}

    package var isEmpty: Bool { cookies.withLock { $0.isEmpty } }

    /// The `Cookie` field for a request; nil if no cookie matches.
    func header(for url: URL) -> String? {
        let path = url.path().isEmpty ? "/" : url.path()
        let fitting = cookies.withLock { cookies in
            cookies.filter { path == $0.value.path || path.hasPrefix(Self.directory($0.value.path)) }
        }
        let text = fitting.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.value)" }.joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    func store(_ response: HTTPResponse) {
        for field in response.headers.all("Set-Cookie") { store(field) }
    }

    private func store(_ field: String) {
        let parts = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, !pair[0].isEmpty else { return }
        let attribute = { (name: String) in
            parts.dropFirst().first { $0.lowercased().hasPrefix("\(name)=") }.map {
                String($0.dropFirst(name.count + 1))
            }
        }
        let isExpired = attribute("max-age").flatMap { Int($0) }.map { $0 <= 0 } ?? false
        let cookie = Cookie(value: String(pair[1]), path: attribute("path") ?? "/")
        cookies.withLock { $0[String(pair[0])] = isExpired ? nil : cookie }
    }

    private static func directory(_ path: String) -> String { path.hasSuffix("/") ? path : "\(path)/" }
}
