import DemoAuthority

/// Scenarios about requirements beyond a password.
extension Scenario {
    static let challenge = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    static let stepUp = Scenario(
        name: "step-up", title: "Multi-factor step-up",
        story: "An API requires MFA and says so with a claims challenge.",
        steps: [
            .signIn(ann, show: ["amr", "acrs"], look: "A password is enough: amr contains pwd."),
            .silently(
                ann, claims: challenge, gives: .failure(.interactionRequired),
                look: """
                    The application skips the cache and sends the API's challenge as the claims parameter. The authority returns \
                    interaction_required, AADSTS50076: a silent request can't complete MFA.
                    """),
            .signIn(
                ann, claims: challenge, show: ["amr", "acrs"],
                look: """
                    The browser still has her session, so the page requires the second factor only. Now amr \
                    contains mfa, and acrs names the context that the API requires.
                    """),
        ],
        teaches: """
            An API can require more at any time. Send its challenge as the claims request, first silently, then \
            interactively.
            """)

    static let incrementalConsent = Scenario(
        name: "incremental-consent", title: "Incremental consent",
        story: "Ann has granted access to her profile. The application requests her mail only when it needs it.",
        steps: [
            .signIn(ann, show: ["scp"], look: "No consent page appears: she consented before."),
            .silently(
                ann, scopes: ["Mail.Read"], gives: .failure(.interactionRequired),
                look: "The authority returns invalid_grant, AADSTS65001: Ann hasn't consented to Mail.Read."),
            .signIn(
                ann, scopes: ["Mail.Read"], show: ["scp"],
                look: """
                    She is still signed in, so the consent page opens at once and lists only the new permission. The \
                    token also has User.Read, which she granted before for the same API.
                    """),
            .silently(
                ann, scopes: ["Mail.Read"], gives: .token(isFromCache: true),
                look: "Silent requests for Mail.Read now work."),
        ],
        teaches: "Request each permission when the application needs it: users consent to what they understand.")

    static let conditionalAccess = Scenario(
        name: "conditional-access", title: "Conditional access",
        story: "Contoso requires applications to enforce its protection policy. Fabrikam doesn't.",
        steps: [
            .signIn(
                ann, gives: .failure(.serverProtectionPoliciesRequired),
                look: """
                    Ann signs in, but the token endpoint returns unauthorized_client with the suberror \
                    protection_policy_required, AADSTS53005. Only the application can fix that.
                    """),
            .signIn(zoe, look: "The same application can sign in Zoe: Fabrikam has no protection policy."),
        ],
        teaches: """
            Error -50004 is about the application, not the user. The application must support \
            the organisation's mobile application management.
            """
    ) {
        $0.settings.policies.protectedTenants = [Directory.contoso]
    }
}
