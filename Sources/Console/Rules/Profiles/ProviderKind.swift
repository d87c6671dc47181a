import Diagnosis

/// The provider of an authority. The set-up asks for it first, because the examples depend on it.
package enum ProviderKind: String, Sendable, CaseIterable {
    case entra, microsoftAccounts, b2c, externalID, google, openID, oauth

    package var title: String {
        switch self {
        case .entra: "Microsoft Entra ID"
        case .microsoftAccounts: "Any Microsoft account"
        case .b2c: "Azure AD B2C"
        case .externalID: "Entra External ID"
        case .google: "Google"
        case .openID: "Another OpenID provider"
        case .oauth: "Another OAuth server"
        }
    }

    /// Whether many organisations there block device codes, so that a pasted URL is better where both work.
    package var prefersPaste: Bool {
        switch self {
        case .entra, .microsoftAccounts: true
        case .b2c, .externalID, .google, .openID, .oauth: false
        }
    }

    /// Whether clients for desktop applications may have a secret.
    var hasSecrets: Bool {
        switch self {
        case .google, .openID, .oauth: true
        case .entra, .microsoftAccounts, .b2c, .externalID: false
        }
    }

    /// The users it signs in.
    var audience: String {
        switch self {
        case .entra: "Work and school accounts of one organisation"
        case .microsoftAccounts: "Personal accounts and all organisations"
        case .b2c: "Customers, with a user flow"
        case .externalID: "Customers, in an external tenant"
        case .google: "Google accounts"
        case .openID: "Keycloak, Okta, Auth0, GitLab or your own"
        case .oauth: "GitHub, or a server that issues no ID tokens"
        }
    }

    /// A new draft with this provider's defaults.
    var draft: ProfileDraft {
        var draft = ProfileDraft(kind: self, redirectURI: "http://localhost")
        switch self {
        case .microsoftAccounts: draft.authority = "https://login.microsoftonline.com/common"
        case .google: draft.authority = "https://accounts.google.com"
        case .oauth: draft.authority = "https://github.com"
        case .entra, .b2c, .externalID, .openID: break
        }
        if self == .entra || self == .microsoftAccounts { draft.scopes = "User.Read" }
        return draft
    }

    /// The kind of this provider's authorities.
    package var authorityKind: AuthorityKind {
        switch self {
        case .entra, .microsoftAccounts: .aad
        case .b2c: .b2c
        case .externalID: .ciam
        case .google, .openID: .oidc
        case .oauth: .oauth
        }
    }

    /// An example of a field's value.
    package func example(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: authorityExample
        case .clientID: clientIDExample
        case .redirectURI: "http://localhost"
        case .clientSecret: "GOCSPX-0123456789abcdef"
        case .scopes: scopesExample
        case .certificates: "/etc/ssl/certs/contoso.pem"
        case .name: "work"
        }
    }

    private var authorityExample: String {
        switch self {
        case .entra: "https://login.microsoftonline.com/contoso.com"
        case .microsoftAccounts: "https://login.microsoftonline.com/common"
        case .b2c: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin"
        case .externalID: "https://contoso.ciamlogin.com"
        case .google: "https://accounts.google.com"
        case .openID: "https://login.example.org/realms/people"
        case .oauth: "https://github.com"
        }
    }

    private var clientIDExample: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID: "11111111-2222-3333-4444-555555555555"
        case .google: "123456789012-abcdef.apps.googleusercontent.com"
        case .openID: "keyturn"
        case .oauth: "Iv23li0123456789abcd"
        }
    }

    private var scopesExample: String {
        switch self {
        case .entra, .microsoftAccounts: "User.Read"
        case .b2c, .externalID: "https://contoso.onmicrosoft.com/api/read"
        case .google, .openID: "email"
        case .oauth: "repo"
        }
    }

    /// What a field means at this provider, and where to find its value.
    func explanation(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: authorityExplanation
        case .clientID: "\(clientIDExplanation) How to get one: docs/client-id.md."
        case .redirectURI: redirectURIExplanation
        case .clientSecret: "The secret that came with the client ID (optional). It is stored encrypted."
        case .scopes: "Scopes to request, separated by spaces (optional)."
        case .certificates: "PEM file of certificates to trust instead of the system's (optional)."
        case .name: "Name of this profile in Keyturn."
        }
    }

    private var authorityExplanation: String {
        switch self {
        case .entra: "Your organisation's domain, tenant ID or sign-in URL."
        case .microsoftAccounts: "This URL is for all Microsoft accounts."
        case .b2c: "The URL with the tenant and the user flow or policy."
        case .externalID: "The tenant's ciamlogin.com URL."
        case .google: "Google's only authority."
        case .openID: "The issuer, or the URL of its metadata (/.well-known/openid-configuration)."
        case .oauth: "https://github.com, or the issuer of a server that publishes metadata."
        }
    }

    private var clientIDExplanation: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID:
            "Entra admin center, App registrations, your application: Application (client) ID."
        case .google:
            "Google Cloud console, Clients: a client of the type Desktop app, which has a secret, too."
        case .openID: "The ID of your application's registration as a public client."
        case .oauth: "The ID of your own application. At GitHub, enable its device flow."
        }
    }

    private var redirectURIExplanation: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID:
            "Register the same URI under Mobile and desktop applications."
        case .google, .openID, .oauth: "Register this URI at the provider. Each sign-in adds a free port to it."
        }
    }

    var domain: String {
        switch self {
        case .entra: "contoso.com"
        case .microsoftAccounts: "outlook.com"
        case .google: "gmail.com"
        case .b2c, .externalID, .openID, .oauth: "example.org"
        }
    }

    var scopePlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts: "Mail.Read Files.Read"
        case .b2c, .externalID: scopesExample
        case .google: "https://www.googleapis.com/auth/calendar.readonly"
        case .openID: "email phone"
        case .oauth: "repo gist"
        }
    }

    var tenantPlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts: "as in the profile"
        case .b2c, .externalID, .google, .openID, .oauth: "none: this provider has no tenants"
        }
    }

    var claimsPlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID: #"{"access_token":{"acrs":{"essential":true}}}"#
        case .google, .openID, .oauth: #"{"id_token":{"email":{"essential":true}}}"#
        }
    }
}
