import OAuthCore

/// A named value of an exchange: a query or form parameter, a header field, or a member of a JSON response. Not in MSAL
/// for iOS and macOS.
///
/// ``value`` is redacted from the start. Only ``reveal()`` returns the full value; printing, comparing
/// and encoding omit it.
public struct MSALFlowParameter: Sendable, Equatable {
    /// The part of the message that has the parameter.
    public enum Place: String, Sendable, CaseIterable {
        /// The query or fragment of the URL.
        case query
        /// A header field of the request.
        case requestHeader
        /// A form parameter of the request.
        case requestBody
        /// A header field of the response.
        case responseHeader
        /// A member of the response body.
        case responseBody
    }

    /// The sensitivity of a parameter.
    public enum Kind: String, Sendable, CaseIterable {
        /// Not sensitive.
        case plain
        /// Identifies the user. Omitted from reports.
        case personal
        /// Secret, or not known to be harmless.
        case secret
    }

    /// The name of the parameter.
    public let name: String
    /// The part of the message that has the parameter.
    public let place: Place
    /// The sensitivity of the parameter.
    public let kind: Kind
    /// The value for the user's own screen, without secrets. Sanitise it before printing, because it may come from a
    /// server.
    public let value: String
    /// The value for a report, without secrets, names and mail addresses.
    public let shareableValue: String
    /// A fact about a secret that doesn't disclose it, such as "the same as state above".
    public let note: String?
    private let whole: Secret?

    /// Creates a parameter. `value` is the redacted form of `whole`.
    public init(
        name: String, place: Place, kind: Kind = .plain, value: String, shareableValue: String? = nil,
        note: String? = nil, whole: String? = nil
    ) {
        (self.name, self.place, self.kind, self.value) = (name, place, kind, value)
        self.shareableValue = shareableValue ?? value
        self.note = note
        self.whole = whole.map { Secret($0) }
    }

    /// Whether ``value`` is redacted.
    public var isRedacted: Bool { whole != nil }

    /// Returns the full value. Secret: show it only on the user's request, and don't store it.
    public func reveal() -> String { whole?.reveal() ?? value }
}
