import DemoAuthority

/// Scenarios about an API that requires another token than the one it gets.
extension Scenario {
    static let insufficientScope = Scenario(
        name: "insufficient-scope", title: "Insufficient scope",
        story: "Ann's token is for her profile. Then the application calls an API that requires Mail.Read.",
        steps: [
            .signIn(ann, show: ["scp"], look: "The application requests User.Read only."),
            .call("/api/me", as: ann, look: "The API accepts the cached token: its scope is User.Read."),
            .call(
                "/api/mail", as: ann,
                look: """
                    The API returns 403 with a challenge: insufficient_scope, and the scope that it requires. Ann \
                    consents, and the application repeats the request with the new token.
                    """),
        ],
        teaches: "Read the challenge of a 403. It names the missing scope, so request exactly that.")

    static let mfaForAPI = Scenario(
        name: "api-mfa", title: "MFA for an API",
        story: "An API for administrators accepts only tokens of users who completed MFA.",
        steps: [
            .signIn(ann, show: ["amr", "acrs"], look: "A password is enough for the sign-in."),
            .call(
                "/api/admin", as: ann,
                look: """
                    The API returns 401 with insufficient_claims, and the claims in base64. The application sends \
                    them to the authority, and Ann completes MFA.
                    """),
            .call("/api/admin", as: ann, look: "The cached token now proves MFA, so the API accepts it."),
        ],
        teaches: """
            Declare the client capability CP1 to get claims challenges. Pass their claims on unchanged, first \
            silently, then interactively.
            """
    ) {
        $0.client.capabilities = ["CP1"]
    }

    static let managedServer = Scenario(
        name: "managed-server", title: "Server of another company",
        story: "Contoso grants its employees access to an API of Fabrikam, which has an authority of its own.",
        steps: [
            .signIn(
                ann, resource: "/api/team",
                look: """
                    Ann signs in at Contoso only. For her ID token, Contoso issues an assertion of who she is, and \
                    Fabrikam's authority issues an access token for it. She sees no page of Fabrikam.
                    """),
            .silently(
                ann, resource: "/api/team", gives: .token(isFromCache: true),
                look: "The token is cached with her account at Contoso."),
            .silently(
                ann, resource: "/api/team", isForced: true, gives: .token(isFromCache: false),
                look: """
                    Fabrikam issues no refresh token. Contoso issues another assertion, and so decides each time whether \
                    Ann still has access.
                    """),
        ],
        teaches: """
            With enterprise-managed authorization, one sign-in at the organisation is enough for all servers that it manages. \
            An error says which of the two authorities refused.
            """
    ) {
        ($0.client.segment, $0.client.type) = ("\(Directory.contoso)/v2.0", .oidc)
        $0.client.isManaged = true
    }

    static let freshSignIn = Scenario(
        name: "fresh-sign-in", title: "Fresh sign-in required",
        story: "An API for administrators requires a sign-in that is at most five seconds old.",
        steps: [
            .signIn(
                ann, claims: challenge, show: ["amr", "auth_time"],
                look: "Ann completes MFA. The authority records when she signed in."),
            .call(
                "/api/admin", as: ann, isUrgent: true,
                look: "The sign-in is fresh, so the API accepts the token."),
            .wait(
                ann, seconds: 6,
                look: "The token is still valid, but the sign-in is too old for this API."),
            .call(
                "/api/admin", as: ann,
                look: """
                    The API returns 401 with insufficient_user_authentication and max_age=5. A refresh can't \
                    change the sign-in time, so Ann signs in again (RFC 9470).
                    """),
        ],
        teaches:
            "A token can be valid although its sign-in is too old. A challenge with max_age requires a new sign-in."
    ) {
        $0.settings.freshness = 5
    }
}
