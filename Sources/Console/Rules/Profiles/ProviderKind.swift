import Diagnosis

/// The provider of an authority. The set-up asks for it first, because the examples depend on it.
package enum ProviderKind: String, Sendable, CaseIterable {
    case entra, microsoftAccounts, b2c, externalID, google, openID, oauth

    /// A provider's texts in the set-up. The defaults are Microsoft's.
    private struct Row {
        var title: String
        var audience: String
        var kind: AuthorityKind
        var authority, authorityExplanation: String
        var clientID = "11111111-2222-3333-4444-555555555555"
        var clientIDExplanation = "Entra admin center, App registrations, your application: Application (client) ID."
        var scopes = "https://contoso.onmicrosoft.com/api/read"
        /// Scopes to add in a sign-in, and the domain of its users, as examples.
        var moreScopes = "https://contoso.onmicrosoft.com/api/read"
        var domain = "example.org"
    }

    private var row: Row {
        switch self {
        case .entra:
            Row(
                title: "Microsoft Entra ID", audience: "Work and school accounts of one organisation", kind: .aad,
                authority: "https://login.microsoftonline.com/contoso.com",
                authorityExplanation: "Your organisation's domain, tenant ID or sign-in URL.", scopes: "User.Read",
                moreScopes: "Mail.Read Files.Read", domain: "contoso.com")
        case .microsoftAccounts:
            Row(
                title: "Any Microsoft account", audience: "Personal accounts and all organisations", kind: .aad,
                authority: "https://login.microsoftonline.com/common",
                authorityExplanation: "This URL is for all Microsoft accounts.", scopes: "User.Read",
                moreScopes: "Mail.Read Files.Read", domain: "outlook.com")
        case .b2c:
            Row(
                title: "Azure AD B2C", audience: "Customers, with a user flow", kind: .b2c,
                authority: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin",
                authorityExplanation: "The URL with the tenant and the user flow or policy.")
        case .externalID:
            Row(
                title: "Entra External ID", audience: "Customers, in an external tenant", kind: .ciam,
                authority: "https://contoso.ciamlogin.com", authorityExplanation: "The tenant's ciamlogin.com URL.")
        case .google:
            Row(
                title: "Google", audience: "Google accounts", kind: .oidc, authority: "https://accounts.google.com",
                authorityExplanation: "Google's only authority.",
                clientID: "123456789012-abcdef.apps.googleusercontent.com",
                clientIDExplanation:
                    "Google Cloud console, Clients: a client of the type Desktop app, which has a secret, too.",
                scopes: "email", moreScopes: "https://www.googleapis.com/auth/calendar.readonly", domain: "gmail.com")
        case .openID:
            Row(
                title: "Another OpenID provider", audience: "Keycloak, Okta, Auth0, GitLab or your own", kind: .oidc,
                authority: "https://login.example.org/realms/people",
                authorityExplanation: "The issuer, or the URL of its metadata (/.well-known/openid-configuration).",
                clientID: "keyturn",
                clientIDExplanation: "The ID of your application's registration as a public client.",
                scopes: "email", moreScopes: "email phone")
        case .oauth:
            Row(
                title: "Another OAuth server", audience: "GitHub, or a server that issues no ID tokens", kind: .oauth,
                authority: "https://github.com",
                authorityExplanation: "https://github.com, or the issuer of a server that publishes metadata.",
                clientID: "Iv23li0123456789abcd",
                clientIDExplanation: "The ID of your own application. At GitHub, enable its device flow.",
                scopes: "repo", moreScopes: "repo gist")
        }
    }

    package var title: String { row.title }
    var audience: String { row.audience }

    /// Whether many organisations there block device codes, so that a pasted URL is better where both work.
    package var prefersPaste: Bool { authorityKind == .aad }

    /// Whether clients for desktop applications may have a secret.
    var hasSecrets: Bool { !isMicrosoft }

    package var authorityKind: AuthorityKind { row.kind }

    var isMicrosoft: Bool {
        switch authorityKind {
        case .aad, .b2c, .ciam: true
        case .oidc, .oauth: false
        }
    }

    var draft: ProfileDraft {
        var draft = ProfileDraft(kind: self, redirectURI: "http://localhost")
        switch self {
        case .microsoftAccounts, .google, .oauth: draft.authority = row.authority
        case .entra, .b2c, .externalID, .openID: break
        }
        if authorityKind == .aad { draft.scopes = row.scopes }
        return draft
    }

    package func example(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: row.authority
        case .clientID: row.clientID
        case .redirectURI: "http://localhost"
        case .clientSecret: "GOCSPX-0123456789abcdef"
        case .scopes: row.scopes
        case .certificates: "/etc/ssl/certs/contoso.pem"
        case .name: "work"
        }
    }

    func explanation(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: row.authorityExplanation
        case .clientID: "\(row.clientIDExplanation) How to get one: docs/client-id.md."
        case .redirectURI:
            isMicrosoft
                ? "Register the same URI under Mobile and desktop applications."
                : "Register this URI at the provider. Each sign-in adds a free port to it."
        case .clientSecret: "The secret that came with the client ID (optional). It is stored encrypted."
        case .scopes: "Scopes to request, separated by spaces (optional)."
        case .certificates: "PEM file of certificates to trust instead of the system's (optional)."
        case .name: "Name of this profile in Keyturn."
        }
    }

    var domain: String { row.domain }
    var scopePlaceholder: String { row.moreScopes }

}
