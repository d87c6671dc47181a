import Foundation
import MSAL

/// A token as the output formats print it.
struct PrintedToken {
    let text: String
    /// The scheme of the Authorization header.
    let scheme: String
    let expiresOn: Date?
    /// The name of its shell variable.
    let variable: String
}

extension PrintedToken {
    /// Throws if the result hasn't this token, because a script would continue with an empty one.
    init(_ kind: TokenKind, of result: MSALResult) throws(Failure) {
        switch kind {
        case .access:
            guard !result.accessToken.isEmpty else { throw Self.noAccessToken }
            self.init(
                text: result.accessToken, scheme: result.authenticationScheme, expiresOn: result.expiresOn,
                variable: "KEYTURN_ACCESS_TOKEN")
        case .id:
            guard let token = result.idToken, !token.isEmpty else { throw Self.noIDToken }
            self.init(text: token, scheme: "Bearer", expiresOn: result.idTokenExpiry, variable: "KEYTURN_ID_TOKEN")
        }
    }

    private static let noAccessToken = Failure(
        .failed, name: "noAccessToken", "The response has an ID token but no access token.",
        nextStep: "Request a scope of a resource with --scope. 'keyturn claims' shows the ID token.")

    private static let noIDToken = Failure(
        .failed, name: "noIDToken", "The response has no ID token: the server doesn't support OpenID Connect.",
        nextStep: "Use --token access.")

    /// After a refresh that brought no newer ID token.
    static let expired = Failure(
        .interactionRequired, name: "idTokenExpired",
        "The ID token has expired, and the authority sends no new one with a refresh.",
        nextStep: "Run 'keyturn sign-in'.")
}

extension MSALResult {
    /// The expiry of the ID token; nil if it is missing.
    fileprivate var idTokenExpiry: Date? {
        let value = tenantProfile.claims?["exp"]
        return ((value as? Int).map(Double.init) ?? value as? Double).map { Date(timeIntervalSince1970: $0) }
    }

    /// Whether the ID token is usable for some seconds more.
    func hasIDToken(at now: Date, for seconds: TimeInterval) -> Bool {
        idToken != nil && (idTokenExpiry.map { $0 > now.addingTimeInterval(seconds) } ?? true)
    }
}
