import OAuthCore

/// Where a claim is wanted (MSAL for iOS and macOS, `MSALClaimsRequestTarget`).
public enum MSALClaimsRequestTarget: UInt, Sendable, CaseIterable {
    /// The ID token.
    case idToken = 0
    /// The access token.
    case accessToken = 1

    var value: ClaimsRequest.Target {
        switch self {
        case .idToken: .idToken
        case .accessToken: .accessToken
        }
    }
}
