/// A set of scope names that keeps its order for display.
///
/// Names compare trimmed and without regard to case, as Entra does (RFC 6749 §3.3 would make them case-sensitive); the
/// first spelling is the one kept and sent. Two names of one scope compare equal too (``otherNames``). Nothing inside a
/// name is touched: `https://host//.default` keeps both slashes.
package struct Scopes: Sendable, ExpressibleByArrayLiteral {
    package private(set) var names: [String] = []
    private var keys: Set<String> = []

    package init() {}

    package init(_ names: some Sequence<String>) {
        for name in names { insert(name) }
    }

    package init(arrayLiteral elements: String...) { self.init(elements) }

    /// Parses a `scope` parameter: names separated by spaces.
    package init(parsing text: some StringProtocol) {
        self.init(text.split { $0.isWhitespace }.map { String($0) })
    }

    private mutating func insert(_ name: String) {
        let name = name.trimmed
        guard !name.isEmpty, keys.insert(Self.key(name)).inserted else { return }
        names.append(name)
    }

    /// What a trimmed name is compared by.
    private static func key(_ name: String) -> String {
        let name = name.lowercased()
        return otherNames[name] ?? name
    }

    /// Google grants the OpenID scopes under the names of its own API, and the reverse.
    private static let otherNames = [
        "https://www.googleapis.com/auth/userinfo.email": "email",
        "https://www.googleapis.com/auth/userinfo.profile": "profile",
    ]

    /// The `scope` parameter: names separated by single spaces.
    package var text: String { names.joined(separator: " ") }

    /// The names as they are spelled, in the order that the unified cache schema gives them.
    package var sortedText: String { names.sorted().joined(separator: " ") }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { keys.contains(Self.key(name.trimmed)) }

    package func isSubset(of other: Scopes) -> Bool { keys.isSubset(of: other.keys) }

    package func intersects(_ other: Scopes) -> Bool { !keys.isDisjoint(with: other.keys) }

    package func union(_ other: Scopes) -> Scopes { Scopes(names + other.names) }

    package func subtracting(_ other: Scopes) -> Scopes { Scopes(names.filter { !other.contains($0) }) }

    /// How the token cache writes them: lower-cased, sorted, separated by spaces.
    package var cacheTarget: String { keys.sorted().joined(separator: " ") }
}

extension Scopes: Hashable {
    package static func == (left: Scopes, right: Scopes) -> Bool { left.keys == right.keys }
    package func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

extension Scopes: CustomStringConvertible {
    package var description: String { text }
}

extension Scopes {
    /// Scopes the library asks for by itself, which a caller may therefore not pass.
    package static let reserved: Scopes = ["openid", "profile", "offline_access"]

    /// Which of the reserved names were passed. That check is exact, so `OpenID` is not one of them.
    package var reservedNames: [String] { names.filter(Self.reserved.names.contains) }

    /// Names with a character that no scope may have: a space would make them two (RFC 6749 §3.3).
    package var malformedNames: [String] {
        names.filter { name in
            !name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }

    package var withoutReserved: Scopes { subtracting(.reserved) }

    /// What goes on the wire: the requested names first, then those that sign-in itself needs.
    package var addingReserved: Scopes { union(.reserved) }

    /// The requested scopes that a grant lacks: one rule for a response, a cached token and a refresh token.
    ///
    /// - Parameter impliesEmail: Entra grants `email` beside the scopes of a resource without naming it, because it is
    ///   about the ID token (docs/upstream-behaviour.md §3).
    package func missing(from granted: Scopes, impliesEmail: Bool) -> Scopes {
        let missing = subtracting(granted)
        let email: Scopes = ["email"]
        guard impliesEmail, !withoutReserved.subtracting(email).isEmpty else { return missing }
        return missing.subtracting(email)
    }

    /// The scope that stands for an ADAL resource. A resource that ends in `/` keeps it, hence `//.default`.
    package static func forResource(_ resource: String) -> Scopes { ["\(resource)/.default"] }
}

extension String {
    /// Without spaces, tabs and line ends around it.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
