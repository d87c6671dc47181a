import Foundation
import OAuthCore

/// One named value of an exchange: a query or form parameter, a header field, a member of a JSON answer. An addition of
/// this library.
///
/// What is secret was taken out of ``value`` when the parameter was made. The whole value is kept for a person who asks
/// for this one, and is in nothing that prints, compares or encodes the parameter.
public struct MSALFlowParameter: Sendable, Equatable {
    /// Where it stands.
    public enum Place: String, Sendable, CaseIterable {
        /// In the query of the address, or its fragment.
        case query
        /// A field of the request's header.
        case requestHeader
        /// A form parameter of the request.
        case requestBody
        /// A field of the answer's header.
        case responseHeader
        /// A member of the answer.
        case responseBody
    }

    /// To whom it may be shown.
    public enum Kind: String, Sendable, CaseIterable {
        /// To anybody.
        case plain
        /// It tells who the person is: to them, not in a report.
        case personal
        /// Worth a sign-in, or not known not to be.
        case secret
    }

    /// The name, as in the message.
    public let name: String
    /// Where it stands.
    public let place: Place
    /// To whom it may be shown.
    public let kind: Kind
    /// What a person's own screen may show. A server may have written it: sanitise it before a terminal sees it.
    public let value: String
    /// What a report may hold: without secrets, names and mail addresses.
    public let shareableValue: String
    /// What is known of a secret without showing it, as in "the same as state in step 1".
    public let note: String?
    /// The whole value, when ``value`` is not.
    private let whole: Secret?

    /// As it was found. `value` is what was left of `whole`.
    public init(
        name: String, place: Place, kind: Kind = .plain, value: String, shareableValue: String? = nil,
        note: String? = nil, whole: String? = nil
    ) {
        self.name = name
        self.place = place
        self.kind = kind
        self.value = value
        self.shareableValue = shareableValue ?? value
        self.note = note
        self.whole = whole.map { Secret($0) }
    }

    /// Whether ``value`` lacks something that ``reveal()`` shows.
    public var isRedacted: Bool { whole != nil }

    /// The whole value. Secret: for the person who asked to see this one, and for nothing that is kept.
    public func reveal() -> String { whole?.reveal() ?? value }
}
