import Foundation

/// Where a redirect URI misses the application's own, `msauth.<bundle identifier>://auth`, if nothing else differs.
package enum RedirectURIMiss: Sendable, Equatable {
    case letterCase
    /// A slash at its end.
    case slash
    case path(String)
    case query
    case port
    /// Another host than `auth`.
    case host(String)
    /// A text of instructions instead of the bundle identifier, such as `[BUNDLE_ID]`.
    case placeholder(String)

    /// `nil` if the URI is the application's own, or differs more.
    package init?(of text: String, from own: String) {
        guard text != own else { return nil }
        if text.lowercased() == own.lowercased() {
            self = .letterCase
        } else if let placeholder = Placeholder(inScheme: text) {
            self = .placeholder(placeholder.text)
        } else {
            self.init(behindSchemeOf: text, own)
        }
    }

    private init?(behindSchemeOf text: String, _ own: String) {
        let (parts, expected) = (RedirectURIParts(text), RedirectURIParts(own))
        guard parts.scheme.lowercased() == expected.scheme.lowercased(), !parts.host.isEmpty else { return nil }
        guard parts.host.lowercased() == expected.host else {
            self = .host(parts.host)
            return
        }
        let rest = text.dropFirst(own.count)
        switch rest.first {
        case "/": self = rest == "/" ? .slash : .path(String(rest.prefix { !"?#".contains($0) }))
        case "?": self = .query
        case ":": self = .port
        case nil, .some: return nil
        }
    }

    /// What the URI has, for a sentence.
    package var words: String {
        switch self {
        case .letterCase: "another letter case"
        case .slash: "a \"/\" at its end"
        case .path(let path): "the path \"\(path)\""
        case .query: "a query"
        case .port: "a port"
        case .host(let host): "the host \"\(host)\" instead of \"auth\""
        case .placeholder(let text): "\"\(text)\" in the place of the bundle identifier"
        }
    }
}

/// A text of instructions in the place of a bundle identifier.
struct Placeholder {
    let text: String

    /// Reads the placeholder in `msauth.<placeholder>` or a URI with this scheme.
    init?(inScheme text: String) {
        let prefix = "msauth."
        guard text.lowercased().hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        let word = String(rest.range(of: "://").map { rest[..<$0.lowerBound] } ?? rest)
        let letters = word.lowercased().filter(\.isLetter)
        guard word.contains(where: { "[<{$".contains($0) }) || Self.words.contains(letters) else { return nil }
        self.text = word
    }

    private static let words: Set<String> = [
        "bundleid", "bundleidentifier", "yourbundleid", "yourbundleidentifier", "yourbundleidhere",
        "enteryourbundleidhere",
        "yourappbundleid",
    ]
}
