import Foundation

/// The responses of a protected resource and its authorization server to the requests of a sign-in's discovery, for
/// diagnosis. Not in MSAL for iOS and macOS.
public struct MSALResourceProbe: Sendable {
    /// What a request asked for.
    public enum Step: String, Sendable, Equatable {
        /// The resource itself, without a token (RFC 6750 §3).
        case challenge
        /// The resource's metadata (RFC 9728 §3).
        case resourceMetadata
        /// The resource's metadata where no client looks: after the resource's path.
        case misplacedMetadata
        /// The authorization server's metadata (RFC 8414 §3).
        case serverMetadata
    }

    /// One response.
    public struct Response: Sendable, Equatable {
        /// What the request asked for.
        public let step: Step
        /// The requested URL.
        public let url: URL
        /// The status, or `nil` without a response.
        public let status: Int?
        /// The values of `WWW-Authenticate`.
        public let challenges: [String]
        /// The media type, without parameters and in lower case.
        public let mediaType: String?
        /// The target of a redirect.
        public let location: String?
        /// The document or page. Untrusted.
        public let body: Data
        /// Why there is no response.
        public let problem: String?

        /// Creates a response.
        public init(
            step: Step, url: URL, status: Int?, challenges: [String] = [], mediaType: String? = nil,
            location: String? = nil, body: Data = Data(), problem: String? = nil
        ) {
            self.step = step
            self.url = url
            self.status = status
            self.challenges = challenges
            self.mediaType = mediaType
            self.location = location
            self.body = body
            self.problem = problem
        }
    }

    /// The address of the resource.
    public let url: URL
    /// The responses, in the order of a sign-in's requests.
    public let responses: [Response]
    /// What a sign-in finds, with the client that it would use, or `nil` if it fails earlier.
    public let resource: MSALProtectedResource?
    /// The error with which a sign-in would fail, or `nil`. That this client isn't registered yet is none.
    public let failure: MSALAuthenticationError?

    /// Creates a report.
    public init(
        url: URL, responses: [Response] = [], resource: MSALProtectedResource? = nil,
        failure: MSALAuthenticationError? = nil
    ) {
        self.url = url
        self.responses = responses
        self.resource = resource
        self.failure = failure
    }
}
