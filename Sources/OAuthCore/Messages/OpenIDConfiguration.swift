import Foundation

/// The discovery document of an authority (OpenID Connect Discovery §3, RFC 8414 §2).
package struct OpenIDConfiguration: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    package let issuer: IssuerTemplate
    package let authorizationEndpoint: URL
    package let tokenEndpoint: URL
    /// The URL of the signing keys, or `nil` for a server without OpenID Connect.
    package private(set) var jwksURI: URL?
    package private(set) var endSessionEndpoint: URL?
    package let deviceAuthorizationEndpoint: URL?
    package private(set) var userInfoEndpoint: URL?
    /// Where tokens are revoked (RFC 7009). Can be on another host, as at Google.
    package let revocationEndpoint: URL?
    /// Where the application leaves an authorization request for the browser (RFC 9126).
    package private(set) var pushedAuthorizationEndpoint: URL?
    /// Whether the authority rejects requests that the browser brings itself (RFC 9126 §5).
    package private(set) var requiresPushedAuthorization = false
    /// Where clients register (RFC 7591).
    package let registrationEndpoint: URL?
    /// Whether a client ID can be the address of the client's metadata.
    package private(set) var readsClientDocuments = false
    /// Whether every authorization response has `iss` (RFC 9207 §3).
    package private(set) var promisesIssuerInResponse = false
    /// `code_challenge_methods_supported`, or `nil` if missing. Microsoft Entra ID omits it but supports S256.
    package private(set) var codeChallengeMethods: [String]?
    package private(set) var scopesSupported: [String] = []
    /// Of the token endpoint. Empty if the document doesn't say.
    package private(set) var authenticationMethods: [String] = []
    /// `nil` if the document doesn't say.
    package private(set) var responseTypes: [String]?
    package private(set) var grantTypes: [String]?
    /// Optional endpoints with an unusable URL. They count as absent.
    package private(set) var unusableEndpoints: [String: Malformed] = [:]
    /// Whether no document has named the endpoints.
    package let isGuessed: Bool

    package enum Malformed: Error, Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSONObject
        /// For example of a captive portal.
        case webPage
        case missing(member: String)
        case wrongType(member: String)
        /// Not a URL, not https, or http on this computer although the authority is elsewhere.
        case unusableAddress(member: String)
    }

    /// - Parameter requiresKeys: whether the server must be an OpenID provider, with signing keys.
    package init(parsing bytes: [UInt8], requiresKeys: Bool = true) throws(Malformed) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard let object = try? JSONValue(parsing: bytes).object else {
            let first = bytes.first { !Character(Unicode.Scalar($0)).isWhitespace }
            throw first == UInt8(ascii: "<") ? .webPage : .notJSONObject
        }
        let members = Members(object: object)
        let issuer = try members.required("issuer")
        // The placeholder isn't valid in a URL. Only scheme and host are checked.
        let issuerURL = URL(string: issuer.replacing(IssuerTemplate.placeholder, with: "tenant"))
        guard let issuerURL, issuerURL.isSecureEndpoint else { throw .unusableAddress(member: "issuer") }
        // An encrypted authority has encrypted endpoints, on this computer too.
        let local = issuerURL.isLoopback && issuerURL.lowercasedScheme == "http"
        self.issuer = IssuerTemplate(issuer)
        authorizationEndpoint = try members.requiredAddress("authorization_endpoint", local)
        tokenEndpoint = try members.requiredAddress("token_endpoint", local)
        jwksURI = try requiresKeys ? members.requiredAddress("jwks_uri", local) : members.address("jwks_uri", local)
        var unusable: [String: Malformed] = [:]
        func optional(_ name: String) -> URL? {
            do { return try members.address(name, local) } catch {
                unusable[name] = error
                return nil
            }
        }
        endSessionEndpoint = optional("end_session_endpoint")
        deviceAuthorizationEndpoint = optional("device_authorization_endpoint")
        userInfoEndpoint = optional("userinfo_endpoint")
        registrationEndpoint = optional("registration_endpoint")
        revocationEndpoint = optional("revocation_endpoint")
        pushedAuthorizationEndpoint = optional("pushed_authorization_request_endpoint")
        unusableEndpoints = unusable
        isGuessed = false
        requiresPushedAuthorization = object["require_pushed_authorization_requests"]?.bool ?? false
        readsClientDocuments = object["client_id_metadata_document_supported"]?.bool ?? false
        promisesIssuerInResponse = object["authorization_response_iss_parameter_supported"]?.bool ?? false
        codeChallengeMethods = object["code_challenge_methods_supported"]?.array?.compactMap(\.string)
        responseTypes = object["response_types_supported"]?.array?.compactMap(\.string)
        grantTypes = object["grant_types_supported"]?.array?.compactMap(\.string)
        scopesSupported = object["scopes_supported"]?.array?.compactMap(\.string) ?? []
        authenticationMethods = object["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? []
    }

    /// The default endpoints of an MCP server of the revision 2025-03-26 without metadata.
    package init(defaultsAt origin: URL) {
        let (authorization, token) = (origin.appending(path: "authorize"), origin.appending(path: "token"))
        self.init(
            OAuthServer.Endpoints(authorization: authorization, token: token), at: origin,
            registration: origin.appending(path: "register"))
    }

    package init(_ endpoints: OAuthServer.Endpoints, at url: URL, registration: URL? = nil) {
        isGuessed = registration != nil
        issuer = IssuerTemplate(url.absoluteString)
        authorizationEndpoint = endpoints.authorization
        tokenEndpoint = endpoints.token
        deviceAuthorizationEndpoint = endpoints.device
        revocationEndpoint = endpoints.revocation
        registrationEndpoint = registration
    }

    package var endpoints: [URL] {
        [
            authorizationEndpoint, tokenEndpoint, jwksURI, endSessionEndpoint, deviceAuthorizationEndpoint,
            userInfoEndpoint, registrationEndpoint, revocationEndpoint, pushedAuthorizationEndpoint,
        ].compactMap(\.self)
    }

    package var listedReservedScopes: Scopes { Scopes(Scopes.reserved.names.filter(scopesSupported.contains)) }

    /// The reserved scopes to request: `openid` and those that the provider lists, or all if it lists nothing.
    package var reservedScopes: Scopes {
        scopesSupported.isEmpty ? .reserved : Scopes(["openid"]).union(listedReservedScopes)
    }

    /// Whether a parameter of Google's own, not `offline_access`, requests a refresh token.
    package var isGoogle: Bool { issuer.text == "https://accounts.google.com" }

    package enum CodeSource: Sendable {
        case page, device
        /// The page of a device code's response, on which the user enters it: another authority's code can be relayed.
        case entering(URL)
    }

    /// An endpoint whose codes and tokens can be another authority's, and the one that gets them (RFC 9700 §4.4). `nil` if the
    /// document shows that they stay where they belong, or if each response names the issuer.
    package func mixUp(at source: CodeSource) -> (page: URL, recipient: URL)? {
        switch source {
        case .page: promisesIssuerInResponse ? nil : mixUp(at: authorizationEndpoint)
        case .device: deviceAuthorizationEndpoint.flatMap { mixUp(at: $0) }
        case .entering(let page): mixUp(at: page)
        }
    }

    /// The endpoints that get codes or tokens.
    package var recipients: [URL] {
        [
            tokenEndpoint, userInfoEndpoint, revocationEndpoint, pushedAuthorizationEndpoint,
            deviceAuthorizationEndpoint,
        ].compactMap(\.self)
    }

    package var keepsCodes: Bool { mixUp(at: authorizationEndpoint) == nil }

    /// They stay if the issuer also controls the endpoint, or the endpoint's host each one that gets codes or tokens. Google spreads
    /// its own over several sites.
    private func mixUp(at endpoint: URL) -> (page: URL, recipient: URL)? {
        let issuer = URL(string: issuer.text.replacing(IssuerTemplate.placeholder, with: "tenant"))
        guard !isGoogle, issuer.map(endpoint.isControlled) != true else { return nil }
        return recipients.first { !$0.isControlled(by: endpoint) }.map { (endpoint, $0) }
    }

    /// Whether the authority rules out S256, which the library always uses.
    package var lacksS256: Bool { codeChallengeMethods.map { !$0.contains(CodeVerifier.challengeMethod) } ?? false }
}

private struct Members {
    let object: [String: JSONValue]

    func text(_ name: String) throws(OpenIDConfiguration.Malformed) -> String? {
        let text = try object.text(name, otherwise: OpenIDConfiguration.Malformed.wrongType(member: name))
        return text?.isEmpty == true ? nil : text
    }

    func required(_ name: String) throws(OpenIDConfiguration.Malformed) -> String {
        guard let text = try text(name) else { throw .missing(member: name) }
        return text
    }

    /// `local`: whether the authority is on this computer, so that its endpoints may be too.
    func address(_ name: String, _ local: Bool) throws(OpenIDConfiguration.Malformed) -> URL? {
        guard let text = try text(name) else { return nil }
        guard let url = URL(string: text), url.isSecureEndpoint, local || url.lowercasedScheme == "https" else {
            throw .unusableAddress(member: name)
        }
        return url
    }

    func requiredAddress(_ name: String, _ local: Bool) throws(OpenIDConfiguration.Malformed) -> URL {
        guard let url = try address(name, local) else { throw .missing(member: name) }
        return url
    }
}

extension OpenIDConfiguration {
    /// The right issuer, in words or as a URL, if the document's doesn't match the requested authority (OpenID Connect Discovery
    /// §4.3, RFC 8414 §3.3). Without this check a document could claim any issuer and supply keys for it.
    /// - Parameter aliases: the authority's other hosts from instance discovery.
    package func issuerMismatch(for authority: Authority, aliases: Set<String> = []) -> String? {
        let isRight =
            switch authority.kind {
            case .openID, .oauth: authority.possibleIssuers.contains(issuer)
            case .aad(let tenant): isAtSameCloud(authority, aliases) && isFor(tenant)
            case .b2c: isAtSameCloud(authority, aliases)
            case .ciam: isAtSameCloud(authority, aliases) || isAtTenantHost(of: authority)
            }
        return isRight ? nil : expectation(for: authority)
    }

    private func expectation(for authority: Authority) -> String {
        switch authority.kind {
        case .openID, .oauth: authority.url.absoluteString
        case .aad(.named(let tenant)) where Self.isGUID(tenant): "\(authority.url.origin)/\(tenant)/v2.0"
        case .aad, .b2c, .ciam: "an issuer at \(authority.url.origin)"
        }
    }

    private var issuerURL: URL? { URL(string: issuer.text.replacing(IssuerTemplate.placeholder, with: "tenantid")) }

    private func isAtSameCloud(_ authority: Authority, _ aliases: Set<String>) -> Bool {
        guard let issuerURL, issuerURL.lowercasedScheme == authority.url.lowercasedScheme else { return false }
        let environment = issuerURL.hostAndPort
        if environment == authority.environment || aliases.contains(environment) { return true }
        // Microsoft's own hosts are equivalent.
        let own = MicrosoftHosts.signIn.union([MicrosoftHosts.versionOneIssuer])
        return own.contains(environment) && MicrosoftHosts.signIn.contains(authority.environment)
    }

    /// An authority with a tenant ID requires that tenant; personal accounts have one too.
    private func isFor(_ tenant: Authority.Tenant) -> Bool {
        guard let segment = issuerURL?.pathSegments.first?.lowercased() else { return false }
        switch tenant {
        case .common, .organizations: return issuer.isTemplated || Self.isGUID(segment)
        case .consumers: return segment == Authority.Tenant.personalAccountsID
        case .named(let name): return Self.isGUID(name) ? segment == name : !issuer.isTemplated
        }
    }

    /// `https://<tenant ID>.ciamlogin.com/<tenant ID>/…`, which External ID uses for each of a tenant's hosts.
    private func isAtTenantHost(of authority: Authority) -> Bool {
        guard let issuerURL, let tenant = issuerURL.pathSegments.first else { return false }
        return issuerURL.origin == "https://\(tenant.lowercased()).ciamlogin.com" && issuerURL.port == nil
    }

    private static func isGUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }
}

extension Authority {
    /// The issuers that an OpenID provider with this URL may state: with or without a trailing slash and the default port.
    package var possibleIssuers: Set<IssuerTemplate> {
        let text = url.absoluteString
        let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
        var spellings = [bare]
        if url.port == nil, let usual = ["https": 443, "http": 80][url.lowercasedScheme], bare.hasPrefix(url.origin) {
            spellings.append("\(url.origin):\(usual)\(bare.dropFirst(url.origin.count))")
        }
        return Set(spellings.flatMap { [IssuerTemplate($0), IssuerTemplate("\($0)/")] })
    }
}
