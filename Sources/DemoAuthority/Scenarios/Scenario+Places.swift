/// Where people and applications belong.
extension Scenario {
    static let guest = Scenario(
        name: "guest", title: "Guest in two tenants",
        story: "Zoe works for Fabrikam, and Contoso has invited her.",
        steps: [
            .signIn(zoe, show: .claims(["tid", "oid"]), look: "At common she ends in her home tenant, Fabrikam."),
            .silently(
                zoe, Step.Request(segment: Directory.contoso), gives: .token(from: .authority),
                show: .claims(["tid", "oid"]),
                look: """
                    Her refresh token is good in Contoso too. The tenant and the object identifier are others there, the \
                    account is the same: it now has two tenant profiles.
                    """),
            .silently(
                zoe, Step.Request(segment: Directory.contoso), gives: .token(from: .cache),
                look: "Each tenant's tokens are kept apart, and both are in the cache."),
        ],
        teaches: "One account, many tenants: name the tenant in the request, and keep the account's own identifier.")

    static let personalAccount: Scenario = {
        var scenario = Scenario(
            name: "personal-account", title: "Personal account",
            story: "Mia has no organisation: she signs in with a personal account.",
            steps: [
                .signIn(
                    mia, show: .claims(["tid", "preferred_username"]),
                    look: """
                        Every personal account is in one tenant, whose identifier begins with 9188040d. That is how a \
                        program tells them apart.
                        """),
                .silently(mia, gives: .token(from: .cache), look: "Silence works the same as at work or school."),
            ],
            teaches: "consumers signs in personal accounts, organizations the others, common both.")
        scenario.client.segment = "consumers"
        return scenario
    }()

    static let b2cPolicy: Scenario = {
        let editing = "tfp/woodgrove/b2c_1_editprofile"
        var scenario = Scenario(
            name: "b2c-policy", title: "B2C policy",
            story: "Lea is a customer of Woodgrove, whose sign-in pages are user flows.",
            steps: [
                .signIn(
                    lea, show: .claims(["tfp", "iss"]),
                    look: "The issuer and the claim tfp name the user flow. There is no tid."),
                .silently(lea, gives: .token(from: .cache), look: "The cache keeps her under this user flow."),
                .signIn(
                    lea, Step.Request(segment: editing), show: .claims(["tfp", "iss"]),
                    look: "Another user flow is another authority: its tokens, and its account, are others."),
            ],
            teaches: "With B2C the policy is part of the authority. Ask with the one that the account signed in by.")
        scenario.client.segment = "tfp/woodgrove/b2c_1_signin"
        scenario.client.dialect = .b2c
        return scenario
    }()

    static let externalTenant: Scenario = {
        var scenario = Scenario(
            name: "external-tenant", title: "External tenant",
            story: "Raj is a customer of Adventure Works, which uses an external tenant.",
            steps: [
                .signIn(raj, show: .claims(["tid", "iss"]), look: "The issuer is the external tenant's own."),
                .silently(raj, gives: .token(from: .cache), look: "Its tokens are kept like any others."),
            ],
            teaches: "An external tenant is an authority of its own, without user flows in its address.")
        scenario.client.segment = "adventure"
        scenario.client.dialect = .external
        return scenario
    }()

    static let threeApps: Scenario = {
        var scenario = Scenario(
            name: "three-apps", title: "Three apps, one client ID",
            story: "Three applications share a client ID and a token cache, and each has a redirect URI of its own.",
            steps: [
                .signIn(ann, look: "The first application signs her in."),
                .silently(
                    ann, Step.Request(application: 1), gives: .token(from: .cache),
                    look: "The second application finds her in the shared cache: nothing is asked, nothing is sent."),
                .silently(
                    ann, Step.Request(isForced: true, application: 2), gives: .token(from: .authority),
                    look: "The third renews with the refresh token that the first one brought."),
                Step(
                    action: .remove, username: ann, request: Step.Request(application: 1), outcome: .done,
                    look: "Removing her in one removes her from all of them: they are one client."),
                .silently(
                    ann, gives: .failure(.interactionRequired), look: "So the first application has to ask again."),
            ],
            teaches: "Single sign-on across applications is a shared cache, and that is all.")
        scenario.client.redirectURIs = (1...3).map { "http://localhost/app\($0)" }
        return scenario
    }()

    static let adalMigration: Scenario = {
        var scenario = Scenario(
            name: "adal-migration", title: "ADAL migration",
            story: "Ann signed in years ago with an application that used ADAL, whose cache is still there.",
            steps: [
                .silently(
                    ann, gives: .token(from: .authority),
                    look: """
                        This program has never seen her. Her refresh token is in ADAL's file: it is redeemed, and the \
                        account moves over. The file stays as it was, so the old application goes on too.
                        """),
                .silently(ann, gives: .token(from: .cache), look: "From now on she is in the cache like anybody else."),
            ],
            teaches: "People need not sign in again because a library changed.")
        scenario.client.adalUsername = ann
        return scenario
    }()
}
