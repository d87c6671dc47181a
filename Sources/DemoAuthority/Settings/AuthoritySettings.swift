import Foundation
import KeyturnCrypto
import OAuthCore

package struct AuthoritySettings: Sendable, Equatable {
    package var lifetimes = Lifetimes()
    package var policies = AccessPolicies()
    /// How far the authority's clock is ahead of the real one, in seconds.
    package var clockOffset: TimeInterval = 0
    package var interruption: Interruption?
    package var faults: [Fault] = []
    /// The faults after each token response, in turn.
    package var laterFaults: [[Fault]] = []
    /// RS256, ES256 or PS256.
    package var signatureAlgorithm = SignatureAlgorithm.rs256
    /// Whether the signing key and algorithm change after each token response.
    package var rotatesKeys = false
    /// Whether the key set holds the keys of all rotations, so that a token without a key ID can be signed with any.
    package var publishesAllKeys = false
    /// Whether the authority takes requests from the application instead of the browser (RFC 9126). Entra doesn't.
    package var pushedRequests = PushedRequests.notOffered
    /// Whether something opens the URL of a pushed request before the browser, as link scanners do.
    package var opensPushedRequestsFirst = false
    /// Whether token responses say how long the refresh token lasts (draft-ietf-oauth-refresh-token-expiration).
    package var statesRefreshLifetime = false
    package var acceptsAnyResource = false
    /// The longest time since the user's authentication that the API for administrators accepts, in seconds.
    package var freshness: TimeInterval = 900
    /// The delay of each response to a program, in seconds. Pages have no delay.
    package var delay: TimeInterval = 0
    /// The poll for a device code that is answered with `slow_down` although it comes in time, counted from 1.
    package var busyPoll: Int?

    package init() {}
}

/// What an authority says about pushed authorization requests (RFC 9126 §5).
package enum PushedRequests: Sendable {
    case notOffered, offered, required
}

/// Requirements beyond a password, for users and applications.
package struct AccessPolicies: Sendable, Equatable {
    /// Authentication contexts that require MFA when a client's claims request them.
    package var secondFactorContexts: Set<String> = ["c1"]
    /// Tenants that issue tokens only to applications that enforce their protection policy.
    package var protectedTenants: Set<String> = []
    /// Whether a sign-in with a device code gets no tokens.
    package var blocksDeviceCodes = false
    /// Revokes the sign-in and the browser session before the first refresh, which fails with this error.
    package var revocation: AuthorityErrorCode?

    package init() {}
}

/// A period in which the authority rejects refreshes but allows sign-ins.
package struct Interruption: Sendable, Equatable {
    package var status: Int
    /// The seconds of `Retry-After` (RFC 9110 §10.2.3); nil to omit it.
    package var retryAfter: Int?
    package var requests: Int

    package init(status: Int, retryAfter: Int?, requests: Int) {
        (self.status, self.retryAfter, self.requests) = (status, retryAfter, requests)
    }

    var response: HTTPResponse {
        let error = status == 429 ? "temporarily_unavailable" : "server_error"
        var response = HTTPResponse.json(["error": .string(error)], status: status)
        response.headers["Retry-After"] = retryAfter.map { "\($0)" }
        return response
    }
}
