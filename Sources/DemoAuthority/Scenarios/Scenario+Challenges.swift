/// What the authority asks of people and applications besides a password.
extension Scenario {
    private static let challenge = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    static let stepUp = Scenario(
        name: "step-up", title: "Multi-factor step-up",
        story: "An API wants more than a password, and says so with a claims challenge.",
        steps: [
            .signIn(ann, show: .claims(["amr", "acrs"]), look: "A password was enough: amr says pwd."),
            .silently(
                ann, Step.Request(claims: challenge), gives: .failure(.interactionRequired),
                look: """
                    The API's challenge goes along as the claims parameter, so the cache is passed over. The authority \
                    answers interaction_required, AADSTS50076: silence cannot press a phone's button.
                    """),
            .signIn(
                ann, Step.Request(claims: challenge), show: .claims(["amr", "acrs"]),
                look: """
                    The browser remembers her, so only the second factor is asked for. Now amr says mfa, and acrs names \
                    the context that the API wanted.
                    """),
        ],
        teaches: """
            An API may ask for more at any moment. Pass its challenge on as the claims request, first silently, then \
            with the person.
            """)

    static let incrementalConsent = Scenario(
        name: "incremental-consent", title: "Incremental consent",
        story: "Ann starts with her profile; the application asks for her mail only when it needs it.",
        steps: [
            .signIn(ann, show: .claims(["scp"]), look: "No consent page: she agreed to this before."),
            .silently(
                ann, Step.Request(scopes: ["Mail.Read"]), gives: .failure(.interactionRequired),
                look: "The authority answers AADSTS65001, consent_required: nobody was asked about her mail yet."),
            .signIn(
                ann, Step.Request(scopes: ["Mail.Read"]), show: .claims(["scp"]),
                look: """
                    She is still signed in, so the consent page comes at once, and lists the new permission alone. The \
                    token may hold more scopes than were asked for.
                    """),
            .silently(
                ann, Step.Request(scopes: ["Mail.Read"]), gives: .token(from: .cache),
                look: "From now on silence is enough."),
        ],
        teaches: "Ask for each permission when it is needed: people agree to what they understand.")

    static let conditionalAccess: Scenario = {
        var scenario = Scenario(
            name: "conditional-access", title: "Conditional access",
            story:
                "Contoso gives tokens only to applications that enforce its protection policy; Fabrikam does not mind.",
            steps: [
                .signIn(
                    ann, gives: .failure(.protectionPoliciesRequired),
                    look: """
                        She signs in, but the token endpoint answers unauthorized_client with the sub-error \
                        protection_policy_required, AADSTS53005. A person cannot mend that: the application has to.
                        """),
                .signIn(zoe, look: "The same application signs in Zoe of Fabrikam, which has no such policy."),
            ],
            teaches: """
                serverProtectionPoliciesRequired is about the application, not about the person: it has to bring in its \
                organisation's mobile application management.
                """)
        scenario.settings.policies.protectedTenants = [Directory.contoso]
        return scenario
    }()
}
