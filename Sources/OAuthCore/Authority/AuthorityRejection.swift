/// The reason why a URL isn't a valid authority.
package enum AuthorityRejection: Error, Sendable, Equatable {
    case blank
    case notAnAddress
    case insecure(scheme: String, host: String)
    case namesAUser
    case impossiblePort(String)
    case badTenant(String)
    case noTenant
    case adfsUnsupported
    /// Microsoft Entra ID is expected, but the URL belongs to another service.
    case notEntra(looksLike: String)
    case notCIAMHost(String)

    /// The problem, in one sentence.
    package var reason: String {
        switch self {
        case .blank: "The authority is empty."
        case .notAnAddress: "The authority is not a URL with a scheme and a host."
        case .insecure("http", _): "The authority needs https: http works only on this computer."
        case .insecure(let scheme, _):
            "The authority's scheme is \"\(scheme)\", but tokens need https (http is allowed only on this "
                + "computer)."
        case .namesAUser: "The authority contains a username or password."
        case .impossiblePort(let port):
            "The authority's port \"\(port)\" is not a number from 1 to 65535."
        case .badTenant(let tenant):
            "\"\(tenant.prefix(80))\" is not a tenant ID or domain name."
        case .noTenant: "The authority has no tenant in its path."
        case .adfsUnsupported: "AD FS authorities are not supported."
        case .notEntra(let found):
            "The authority is \(found), but \(AuthorityKind.aad.title) is expected."
        case .notCIAMHost(let host):
            "The authority's host \"\(host)\" is not of the form <tenant>.ciamlogin.com."
        }
    }

    /// The next step, in one sentence.
    package var nextStep: String {
        switch self {
        case .badTenant:
            "Use a tenant ID or domain name, or common, organizations or consumers."
        case .blank, .notAnAddress, .noTenant:
            "Use a URL such as https://login.microsoftonline.com/common, or another provider's issuer."
        case .insecure: "Use the https URL of the authority."
        case .impossiblePort: "Correct the port."
        case .namesAUser: "Remove the username and password from the URL."
        case .adfsUnsupported:
            "Use it as an OpenID provider (\"authorityType\": \"oidc\"), or sign in through the federated tenant of Entra."
        case .notEntra(let found): "Use the authority type for \(found), or correct the URL."
        case .notCIAMHost: "Use the tenant's ciamlogin.com URL, or allow a custom domain."
        }
    }
}
