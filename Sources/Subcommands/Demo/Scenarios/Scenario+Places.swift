import DemoAuthority

/// Scenarios about tenants, account types and shared caches.
extension Scenario {
    static let guest = Scenario(
        name: "guest", title: "Guest in two tenants",
        story: "Zoe works for Fabrikam and is a guest of Contoso.",
        steps: [
            .signIn(
                zoe, show: ["tid", "oid"], look: "At /common, she signs in to her home tenant, Fabrikam."),
            .silently(
                zoe, segment: Directory.contoso, gives: .token(isFromCache: false),
                show: ["tid", "oid"],
                look: """
                    Her refresh token works for Contoso too. The tenant ID and object ID differ there, but the account \
                    is the same. It now has two tenant profiles.
                    """),
            .silently(
                zoe, segment: Directory.contoso, gives: .token(isFromCache: true),
                look: "The cache holds separate tokens for each tenant."),
        ],
        teaches: "One account can have many tenants. Name the tenant in the request and keep the account identifier.")

    static let personalAccount = Scenario(
        name: "personal-account", title: "Personal account",
        story: "Mia signs in with a personal account, outside any organisation.",
        steps: [
            .signIn(
                mia, show: ["tid", "preferred_username"],
                look: """
                    All personal accounts share one tenant, whose ID begins with 9188040d. Programs recognise \
                    personal accounts by it.
                    """),
            .silently(
                mia, gives: .token(isFromCache: true),
                look: "Silent requests work as they do for work or school accounts."),
        ],
        teaches: "Use /consumers for personal, /organizations for work or school accounts, /common for both."
    ) {
        $0.client.segment = "consumers"
    }

    static let b2cPolicy = Scenario(
        name: "b2c-policy", title: "B2C policy",
        story: "Lea is a customer of Woodgrove, which uses B2C user flows.",
        steps: [
            .signIn(
                lea, show: ["tfp", "iss"],
                look: "The issuer and the tfp claim name the user flow. There is no tid claim."),
            .silently(
                lea, gives: .token(isFromCache: true), look: "The cache stores her account under this user flow."),
            .signIn(
                lea, segment: "tfp/woodgrove/b2c_1_editprofile", show: ["tfp", "iss"],
                look: "Another user flow is another authority, with its own account and tokens."),
        ],
        teaches:
            "In B2C, the user flow is part of the authority. Request tokens at the authority with the user flow that signed the user in."
    ) {
        $0.client.segment = "tfp/woodgrove/b2c_1_signin"
        $0.client.type = .b2c
    }

    static let externalTenant = Scenario(
        name: "external-tenant", title: "External tenant",
        story: "Raj is a customer of Adventure Works, which uses an external tenant.",
        steps: [
            .signIn(raj, show: ["tid", "iss"], look: "The issuer is the external tenant."),
            .silently(
                raj, gives: .token(isFromCache: true),
                look: "The cache stores an external tenant's tokens like any others."),
        ],
        teaches: "An external tenant is its own authority, without user flows in its URL."
    ) {
        $0.client.segment = "adventure"
        $0.client.type = .ciam
    }

    static let threeApps = Scenario(
        name: "three-apps", title: "Three apps, one client ID",
        story: "Three applications share a client ID and a token cache. Each has its own redirect URI.",
        steps: [
            .signIn(ann, look: "The first application signs Ann in."),
            .silently(
                ann, application: 1, gives: .token(isFromCache: true),
                look: "The second application finds her token in the shared cache, without a prompt or a request."),
            .silently(
                ann, isForced: true, application: 2, gives: .token(isFromCache: false),
                look: "The third uses the refresh token that the first one cached."),
            .remove(
                ann, application: 1,
                look: "Removing her account in one application removes it from all three: they are one client."),
            .silently(
                ann, gives: .failure(.interactionRequired),
                look: "The first application must ask Ann to sign in again."),
        ],
        teaches: "With one client ID, a shared cache is enough for single sign-on."
    ) {
        $0.client.redirectURIs = (1...3).map { "http://localhost/app\($0)" }
    }

    static let adalMigration = Scenario(
        name: "adal-migration", title: "ADAL migration",
        story: "Years ago, Ann signed in with an application that used ADAL. Its cache still exists.",
        steps: [
            .silently(
                ann, gives: .token(isFromCache: false),
                look: """
                    The application has no account for Ann. It redeems her refresh token from ADAL's file and adds \
                    the account to its cache. The file itself is unchanged.
                    """),
            .silently(
                ann, gives: .token(isFromCache: true), look: "Her account is now in the cache like any other."),
        ],
        teaches: "Users don't have to sign in again after a migration from ADAL."
    ) {
        $0.client.adalUsername = ann
    }
}
