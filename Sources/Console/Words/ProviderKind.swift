import Diagnosis

/// Who runs the authority that people sign in at: what the set-up asks first, because the examples follow from it.
package enum ProviderKind: String, Sendable, CaseIterable {
    case entra, microsoftAccounts, b2c, externalID, google, openID

    package var title: String {
        switch self {
        case .entra: "Microsoft Entra ID"
        case .microsoftAccounts: "Any Microsoft account"
        case .b2c: "Azure AD B2C"
        case .externalID: "Entra External ID"
        case .google: "Google"
        case .openID: "Another OpenID provider"
        }
    }

    /// Whom it signs in.
    var people: String {
        switch self {
        case .entra: "Work and school accounts of one organization"
        case .microsoftAccounts: "Personal accounts, and those of every organization"
        case .b2c: "Customers, by a user flow"
        case .externalID: "Customers, in an external tenant"
        case .google: "Google accounts"
        case .openID: "Keycloak, Okta, Auth0, GitLab, one of your own"
        }
    }

    /// What a new draft holds already.
    var draft: ProfileDraft {
        var draft = ProfileDraft(kind: self, redirectURI: "http://localhost")
        switch self {
        case .microsoftAccounts: draft.authority = "https://login.microsoftonline.com/common"
        case .google: draft.authority = "https://accounts.google.com"
        case .entra, .b2c, .externalID, .openID: break
        }
        if self == .entra || self == .microsoftAccounts { draft.scopes = "User.Read" }
        return draft
    }

    /// The kind of the authorities that it has.
    package var authorityKind: AuthorityKind {
        switch self {
        case .entra, .microsoftAccounts: .aad
        case .b2c: .b2c
        case .externalID: .ciam
        case .google, .openID: .oidc
        }
    }

    /// An example of a field, as it would be typed.
    package func example(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: authorityExample
        case .clientID: clientIDExample
        case .redirectURI: "http://localhost"
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
        }
    }

    private var clientIDExample: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID: "11111111-2222-3333-4444-555555555555"
        case .google: "123456789012-abcdef.apps.googleusercontent.com"
        case .openID: "keyturn"
        }
    }

    private var scopesExample: String {
        switch self {
        case .entra, .microsoftAccounts: "User.Read"
        case .b2c, .externalID: "https://contoso.onmicrosoft.com/api/read"
        case .google, .openID: "email"
        }
    }

    /// What a field means at this provider, and where to find the answer.
    func explanation(of field: ProfileDraft.Field) -> String {
        switch field {
        case .authority: authorityExplanation
        case .clientID: clientIDExplanation
        case .redirectURI: redirectURIExplanation
        case .scopes: "What to ask for, with spaces between. It may stay empty."
        case .certificates: "A PEM file of certificates to trust in place of the system's. It may stay empty."
        case .name: "What to call this profile here."
        }
    }

    private var authorityExplanation: String {
        switch self {
        case .entra: "Your organization's domain or tenant ID, or its whole sign-in address."
        case .microsoftAccounts: "This address takes everybody with a Microsoft account."
        case .b2c: "It ends in the tenant and the user flow or policy."
        case .externalID: "The tenant's ciamlogin.com address."
        case .google: "Google has this one."
        case .openID: "Its issuer, or the address of its discovery document (/.well-known/openid-configuration)."
        }
    }

    private var clientIDExplanation: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID:
            "Entra admin center, App registrations, your application: Application (client) ID."
        case .google:
            "Google Cloud console, Clients. Clients of the type Desktop have a secret, which is not sent here."
        case .openID: "What the provider called your application when it was registered, as a public client."
        }
    }

    private var redirectURIExplanation: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID:
            "Where the browser comes back to. Register the same under Mobile and desktop applications."
        case .google, .openID: "Where the browser comes back to. Register the same at the provider; the port is free."
        }
    }

    var domain: String {
        switch self {
        case .entra: "contoso.com"
        case .microsoftAccounts: "outlook.com"
        case .google: "gmail.com"
        case .b2c, .externalID, .openID: "example.org"
        }
    }

    var scopePlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts: "Mail.Read Files.Read"
        case .b2c, .externalID: scopesExample
        case .google: "https://www.googleapis.com/auth/calendar.readonly"
        case .openID: "email phone"
        }
    }

    var tenantPlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts: "the profile's own"
        case .b2c, .externalID, .google, .openID: "none: this provider has no other tenants"
        }
    }

    var claimsPlaceholder: String {
        switch self {
        case .entra, .microsoftAccounts, .b2c, .externalID: #"{"access_token":{"acrs":{"essential":true}}}"#
        case .google, .openID: #"{"id_token":{"email":{"essential":true}}}"#
        }
    }
}
