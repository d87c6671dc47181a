/// An ordered set of scopes. Names are trimmed and compared without regard to case, as at Microsoft Entra ID, although
/// RFC 6749 §3.3 makes them case-sensitive. The first spelling is kept and sent. Alternative names of a scope compare
/// equal (``otherNames``). Names are otherwise unchanged: `https://host//.default` keeps both slashes.
package struct Scopes: Sendable, ExpressibleByArrayLiteral {
    package private(set) var names: [String] = []
    private var keys: Set<String> = []

    package init() {}

    package init(_ names: some Sequence<String>) {
        for name in names { insert(name) }
    }

    package init(arrayLiteral elements: String...) { self.init(elements) }

    package init(parsing text: some StringProtocol) {
        self.init(text.split { $0.isWhitespace }.map { String($0) })
    }

    private mutating func insert(_ name: String) {
        let name = name.trimmed
        guard !name.isEmpty, keys.insert(Self.key(name)).inserted else { return }
        names.append(name)
    }

    private static func key(_ name: String) -> String {
        let name = name.lowercased()
        return otherNames[name] ?? name
    }

    /// Google's names for the OpenID scopes, which it grants in place of each other.
    private static let otherNames = [
        "https://www.googleapis.com/auth/userinfo.email": "email",
        "https://www.googleapis.com/auth/userinfo.profile": "profile",
    ]

    package var text: String { names.joined(separator: " ") }

    /// As in the unified cache schema.
    package var sortedText: String { names.sorted().joined(separator: " ") }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { keys.contains(Self.key(name.trimmed)) }

    package func isSubset(of other: Scopes) -> Bool { keys.isSubset(of: other.keys) }

    package func intersects(_ other: Scopes) -> Bool { !keys.isDisjoint(with: other.keys) }

    package func union(_ other: Scopes) -> Scopes { Scopes(names + other.names) }

    package func subtracting(_ other: Scopes) -> Scopes { Scopes(names.filter { !other.contains($0) }) }

    /// The scopes as a cache key: in lower case, sorted, separated by spaces.
    package var cacheTarget: String { keys.sorted().joined(separator: " ") }
}

extension Scopes: Hashable, CustomStringConvertible {
    package static func == (left: Scopes, right: Scopes) -> Bool { left.keys == right.keys }
    package func hash(into hasher: inout Hasher) { hasher.combine(keys) }
    package var description: String { text }

    /// The scopes that the library adds to every request. Callers can't pass them.
    package static let reserved: Scopes = ["openid", "profile", "offline_access"]

    /// The reserved names in the set, compared exactly.
    package var reservedNames: [String] { names.filter(Self.reserved.names.contains) }

    package var malformedNames: [String] { names.filter { !$0.isScope } }

    package var withoutReserved: Scopes { subtracting(.reserved) }

    /// The scopes that choose an API, without those that only affect the ID token and the refresh token.
    package var withoutOpenID: Scopes { withoutReserved.subtracting(["email"]) }

    package var addingReserved: Scopes { union(.reserved) }

    /// Used for responses, cached tokens and refresh tokens. `impliesEmail`: whether a grant of resource scopes implies
    /// `email`, as at Microsoft Entra ID, where it affects only the ID token (docs/upstream-behaviour.md §3).
    package func missing(from granted: Scopes, impliesEmail: Bool) -> Scopes {
        let missing = subtracting(granted)
        let email: Scopes = ["email"]
        guard impliesEmail, !withoutReserved.subtracting(email).isEmpty else { return missing }
        return missing.subtracting(email)
    }

    /// The scope equivalent to an ADAL resource. A trailing `/` is significant, hence `//.default`.
    package static func forResource(_ resource: String) -> Scopes { ["\(resource)/.default"] }
}

extension String {
    /// Whether it can be a scope (RFC 6749 §3.3, `scope-token`).
    package var isScope: Bool { !isEmpty && isVisibleASCII && !contains { "\"\\".contains($0) } }

    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
