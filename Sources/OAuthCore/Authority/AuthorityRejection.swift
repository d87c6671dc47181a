/// The reason why a URL isn't a valid authority.
package enum AuthorityRejection: Error, Sendable, Equatable {
    case blank
    case notAnAddress
    case insecure(scheme: String)
    case namesAPerson
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
        case .notAnAddress: "The authority is not an address with a scheme and a host."
        case .insecure(let scheme):
            "The authority's scheme is \u{201C}\(scheme)\u{201D}, and tokens may only travel by https (http is for this "
                + "computer alone)."
        case .namesAPerson: "The authority holds a user name or a password."
        case .impossiblePort(let port):
            "The authority has the port \u{201C}\(port)\u{201D}, and ports are numbers from 1 to 65535."
        case .badTenant(let tenant):
            "\u{201C}\(tenant.prefix(80))\u{201D} is not a tenant: a tenant is an ID or a domain name."
        case .noTenant: "The authority names no tenant: the first part of its path is missing."
        case .adfsUnsupported: "The authority is an AD FS server, which this library does not support."
        case .notEntra(let found):
            "The authority looks like \(found), where \(AuthorityKind.aad.title) is expected."
        case .notCIAMHost(let host):
            "The authority's host \u{201C}\(host)\u{201D} is not of the form <tenant>.ciamlogin.com."
        }
    }

    /// The next step, in one sentence.
    package var nextStep: String {
        switch self {
        case .blank, .notAnAddress, .noTenant, .badTenant:
            "Give an address such as https://login.microsoftonline.com/common, or for another provider its issuer."
        case .insecure: "Use the https address of the authority."
        case .impossiblePort: "Correct the port."
        case .namesAPerson: "Leave the user name and password out of the address."
        case .adfsUnsupported: "Sign in through the Entra tenant that is federated with it."
        case .notEntra(let found): "Use the authority type for \(found), or correct the address."
        case .notCIAMHost: "Use the tenant's ciamlogin.com address, or allow a custom domain."
        }
    }
}
