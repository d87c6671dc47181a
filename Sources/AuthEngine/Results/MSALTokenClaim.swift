import Foundation

/// One member of a token's header or claims, ready to show. An addition of this library.
public struct MSALTokenClaim: Sendable, Equatable {
    /// The claim, as in the token.
    public let name: String
    /// Strings as they are, everything else as compact JSON. It comes from a server: sanitise it before a terminal
    /// sees it.
    public let text: String
    /// The moment meant, for the registered claims that hold one (RFC 7519 §2, NumericDate).
    public let date: Date?

    /// As it is shown.
    public init(name: String, text: String, date: Date? = nil) {
        self.name = name
        self.text = text
        self.date = date
    }
}
