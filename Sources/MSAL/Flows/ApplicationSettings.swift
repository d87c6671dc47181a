import OAuthCore

/// The validated configuration of an application as a value, unaffected by later changes of the configuration object.
package struct ApplicationSettings: Sendable {
    package var clientID: String
    package var redirect: RedirectURI
    package var authority: Authority
    package var knownAuthorities: Set<Authority>
    package var tokenExpirationBuffer: Double
    /// Whether to return an expired token within its extended lifetime when the authority is unavailable.
    package var extendsLifetime: Bool
    package var capabilities: [String]
    package var slice: Parameters
    /// Whether a response of another cloud is accepted.
    package var isInstanceAware: Bool
    package var nestedBroker: NestedBroker?
    /// Whether the absence of a broker is reported.
    package var enablesBroker: Bool
    /// The name and version from the application's `Info.plist`.
    package var displayName: String?
    package var version: String?
    /// The resource that all tokens are for, if its authorization server isn't Microsoft Entra ID, where scopes name the
    /// resource.
    package var resource: MSALProtectedResource?
    package var destination: MSALTokenDestination?
    /// The configuration's authority, if it issues the tokens of a resource, whose issuer tells its kind no more.
    package var grantingAuthority: Authority?
    /// The scopes that the configuration allows a server to have, by origin.
    package var resourceScopes: [String: Scopes]

    /// The server whose tokens the organisation's assertions give; `authority` is the organisation's.
    package var managedServer: ManagedServer?
    /// The issuers of all servers that the organisation manages, by origin.
    package var managedServers: [String: URL]

    /// The reserved scopes to request whatever the provider lists.
    package var requiredScopes: Scopes
    /// The provider's parameters for each authorization request.
    package var extraParameters: Parameters
    /// The API that the tokens are for, sent as `audience`.
    package var audience: String?
    package var clientSecret: MSALClientSecret?

    package struct NestedBroker: Sendable, Equatable {
        package var clientID: String
        package var redirect: RedirectURI
    }

    package init(_ configuration: MSALPublicClientApplicationConfig, registration: AppRegistration?) throws {
        guard configuration.clientId.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationFailure.caller(.clientIDMissing)
        }
        // RFC 6749 appendix A.1, within a generous length limit.
        guard configuration.clientId.isPrintableASCII, configuration.clientId.utf8.count <= 1024 else {
            throw AuthenticationFailure.invalid("The client ID is too long or has invalid characters.")
        }
        guard MSALCacheConfig.isSharingGroup(configuration.cacheConfig.keychainSharingGroup) else {
            throw AuthenticationFailure.invalid(
                "The keychain sharing group is invalid: use up to 200 bytes without slashes or a dot at the start.")
        }
        guard configuration.cacheConfig.files.allSatisfy(\.isFileURL) else {
            throw AuthenticationFailure.invalid("The token cache needs a file URL.")
        }
        clientID = configuration.clientId
        authority = configuration.authority.value
        knownAuthorities = Set(configuration.knownAuthorities.map(\.value))
        tokenExpirationBuffer = configuration.tokenExpirationBuffer
        extendsLifetime = configuration.extendedLifetimeEnabled
        capabilities = configuration.clientApplicationCapabilities ?? []
        slice = Parameters(configuration.sliceConfig?.members ?? [:])
        displayName = registration?.displayName
        version = registration?.version
        resource = authority.speaksEntra ? nil : configuration.resource
        managedServer = try ManagedServer(configuration)
        managedServers = Dictionary(
            configuration.managedServers.map { ($0.key.origin, $0.value.authority) },
            uniquingKeysWith: { first, _ in first })
        if managedServer != nil { resource = nil }
        destination = configuration.resource.map { MSALTokenDestination($0.url) }
        grantingAuthority = configuration.resource?.grantingAuthority
        resourceScopes = Dictionary(
            configuration.resourceScopes.map { ($0.key.origin, Scopes($0.value)) }, uniquingKeysWith: { $0.union($1) })
        requiredScopes = Scopes(configuration.requiredReservedScopes)
        extraParameters = Parameters(configuration.extraAuthorizationParameters)
        if let name = extraParameters.pairs.map(\.name).first(where: AuthorizationRequest.sets) {
            throw AuthenticationFailure.invalid(
                "The parameter \(name) belongs to the protocol, so it can't be an extra parameter.")
        }
        audience = configuration.audience
        clientSecret = configuration.clientSecret
        isInstanceAware = configuration.multipleCloudsSupported
        let rules = RedirectURIRules(
            // Without an Info.plist, a program has no URL schemes. Loopback redirect URIs need none.
            clientID: clientID, registration: registration ?? AppRegistration(bundleIdentifier: ""),
            isBypassed: configuration.bypassRedirectURIValidation)
        redirect = try rules.accepted(rules.judge(configuration.redirectUri, for: authority))
        nestedBroker = try NestedBroker(configuration, rules)
        enablesBroker = configuration.linuxBrokerEnabled
    }
}

extension ApplicationSettings {
    /// Whether this application's tokens are those of a server that the organisation manages; `nil` for another server.
    func isManagedToken(for server: URL) -> Bool? {
        managedServers[server.origin].map { _ in managedServer?.resource.url.origin == server.origin }
    }

    /// The scopes to send: with the reserved ones that the authority knows. Some providers reject others, although a server
    /// should ignore them (OpenID Connect Core §3.1.2.1). A resource's authorization server need not be an OpenID provider.
    /// Scopes of a challenge, a configuration or a command line are sent as they are.
    func sent(_ scopes: Scopes, to authority: ResolvedAuthority) -> Scopes {
        guard !authority.speaksEntra else { return scopes.addingReserved }
        let listed = authority.configuration.listedReservedScopes.names
        let reserved =
            if let resource {
                Scopes(
                    listed.filter { resource.getsIDTokens || $0 == "offline_access" } + resource.reservedScopes)
            } else if self.authority.oauthServer != nil {
                Scopes(listed.filter { $0 == "offline_access" })
            } else {
                authority.configuration.reservedScopes
            }
        return scopes.union(reserved).union(requiredScopes)
    }
}

extension ApplicationSettings.NestedBroker {
    /// The host application, or `nil` without one. Only the form of its redirect URI is checked.
    fileprivate init?(_ configuration: MSALPublicClientApplicationConfig, _ rules: RedirectURIRules) throws {
        guard !configuration.nestedAuthBrokerClientId.isEmpty,
            let redirectURI = configuration.nestedAuthBrokerRedirectUri
        else { return nil }
        var rules = rules
        rules.isBypassed = true
        clientID = configuration.nestedAuthBrokerClientId
        redirect = try rules.accepted(rules.verify(redirectURI))
    }
}

extension RedirectURIRules {
    fileprivate func accepted(_ judgement: Judgement) throws -> RedirectURI {
        switch judgement {
        case .rejected(let rejection): throw AuthenticationFailure.caller(.redirect(rejection))
        case .accepted(let redirect):
            // On Linux no scheme leads to a broker, so the list is enforced only for applications that have one. For
            // the others `keyturn check` reports it.
            let missing = missingBrokerQuerySchemes
            guard
                !redirect.isBrokerCapable || missing.isEmpty || !requestsAppleBroker
                    || MSALGlobalConfig.brokerAvailability == .none
            else { throw AuthenticationFailure.caller(.brokerSchemesNotListed(missing)) }
            return redirect
        }
    }
}
