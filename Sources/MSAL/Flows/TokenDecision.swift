import Foundation
import OAuthCore

/// Who decided that a server gets a token (docs/decisions/0053): the token is for that server, or the user has said so.
package struct TokenDecision: Sendable {
    package enum Grounds: Equatable, Sendable {
        /// The authority binds the token to the server, by the parameter `resource`.
        case bound
        /// The scopes are the server's own.
        case own
        /// The user named the scopes, or the profile, for this server.
        case named
        /// The configuration names the scopes for this origin.
        case configured
        /// The configuration names the authority for this server, which issued the token.
        case managed
        /// The user agreed.
        case agreed
    }

    package enum Verdict: Equatable, Sendable {
        case allowed(Grounds)
        case needsAgreement(Scopes)
        /// Only the configuration can allow these: they are Microsoft's own.
        case rejected(Scopes, api: String)
        /// The configuration has another authority issue the server's tokens.
        case managedElsewhere
    }

    package let server: URL
    package let authority: Authority
    /// Whether the request sends the server's identifier as `resource`.
    package var sendsResource: Bool
    package var scopes: Scopes
    /// The scopes that the user named for this server; `nil` if the user named nothing.
    package var named: Scopes?
    /// Whether the user named only the server, which is no decision about Microsoft's own APIs.
    package var namesServerOnly = false
    /// The scopes that the configuration names for this origin; `nil` if it names none.
    package var configured: Scopes?
    /// Whether the token is the one of a server that the organisation manages; `nil` for a server that it doesn't.
    package var managed: Bool?
    /// The scopes that the user agreed to for this server; `nil` without an agreement.
    package var agreed: Scopes?

    package init(server: URL, authority: Authority, sendsResource: Bool, scopes: Scopes) {
        (self.server, self.authority, self.sendsResource, self.scopes) = (server, authority, sendsResource, scopes)
    }

    package var verdict: Verdict {
        // Before the user's word: a profile or scopes on the command line are no decision about the authority.
        if let managed { return managed ? .allowed(.managed) : .managedElsewhere }
        if authority.owns(server) { return .allowed(.own) }
        let rule = authority.audienceRule
        if rule == .resource, sendsResource { return .allowed(.bound) }
        let scopes = scopes.withoutOpenID
        guard !scopes.isEmpty else { return withoutScopes(rule) }
        var left = scopes.names
        if rule == .scopes {
            left.removeAll { ScopeTarget($0).isOwn(by: server, at: authority.url) }
            if left.isEmpty { return .allowed(.own) }
        }
        for (given, grounds) in [(named(rule), Grounds.named), (configured, .configured)] {
            left = left.without(given, rule)
            if left.isEmpty { return .allowed(grounds) }
        }
        // An agreement to a scope of Microsoft's own APIs can't exist, so none counts.
        let rejected = rule == .scopes ? left.filter { ScopeTarget($0).isMicrosofts } : []
        if let first = rejected.first { return .rejected(Scopes(rejected), api: ScopeTarget(first).api) }
        left = left.without(agreed, rule)
        return left.isEmpty ? .allowed(.agreed) : .needsAgreement(Scopes(left))
    }

    private func named(_ rule: Authority.AudienceRule) -> Scopes? {
        guard rule == .scopes, namesServerOnly else { return named }
        return named.map { Scopes($0.names.filter { !ScopeTarget($0).isMicrosofts }) }
    }

    /// The scopes that the server may have, whatever it asks for.
    package var allowed: Scopes {
        [named(authority.audienceRule), configured, agreed].compactMap(\.self).reduce(Scopes([])) { $0.union($1) }
            .withoutOpenID
    }

    /// A token without scopes is for Microsoft Graph at Microsoft Entra ID.
    private func withoutScopes(_ rule: Authority.AudienceRule) -> Verdict {
        if named != nil, rule != .scopes || !namesServerOnly { return .allowed(.named) }
        if configured != nil { return .allowed(.configured) }
        if rule == .scopes { return .rejected([], api: MicrosoftAPI.graph.name) }
        return agreed == nil ? .needsAgreement([]) : .allowed(.agreed)
    }
}

extension [String] {
    /// The scopes that others don't include. At Microsoft Entra ID, one scope has several spellings.
    fileprivate func without(_ others: Scopes?, _ rule: Authority.AudienceRule) -> [String] {
        guard let others else { return self }
        guard rule == .scopes else { return filter { !others.contains($0) } }
        let targets = Set(others.names.map { ScopeTarget($0) })
        return filter { !targets.contains(ScopeTarget($0)) }
    }
}

/// What the user agreed to, in the document cache: for each endpoint, authority, account and application, the scopes.
struct TokenAgreements {
    private static let kind = "agreement"

    let documents: OwnDocuments

    func all(of clientID: String) throws -> [MSALTokenAgreement] {
        try documents.all(of: Self.kind).compactMap { MSALTokenAgreement($0.document) }
            .filter { $0.clientId == clientID }
            .sorted { ($0.url.absoluteString, $0.username ?? "") < ($1.url.absoluteString, $1.username ?? "") }
    }

    /// Adds the scopes to those that the user agreed to before.
    func save(_ agreement: MSALTokenAgreement) throws {
        guard let key = Self.key(agreement) else { return }
        var agreement = agreement
        let earlier = try documents.load(key).flatMap { MSALTokenAgreement($0) }
        agreement.scopes = Scopes((earlier?.scopes ?? []) + agreement.scopes).names
        try documents.save(agreement.json, key)
    }

    func forget(_ agreement: MSALTokenAgreement) throws {
        if let key = Self.key(agreement) { try documents.save(nil, key) }
    }

    /// Takes back all agreements of an account, or of all; of all applications without a client ID.
    func forget(account: String? = nil, clientID: String?) throws {
        for (key, document) in try documents.all(of: Self.kind) {
            guard let agreement = MSALTokenAgreement(document) else { continue }
            let isMeant = account == nil || agreement.accountIdentifier == account
            if isMeant, clientID == nil || agreement.clientId == clientID { try documents.save(nil, key) }
        }
    }

    private static func key(_ agreement: MSALTokenAgreement) -> URL? {
        let addresses = [agreement.url.absoluteString, agreement.authority.absoluteString]
        return OwnDocuments.key(kind, addresses + [agreement.accountIdentifier ?? "", agreement.clientId])
    }
}

extension MSALTokenAgreement {
    fileprivate var json: JSONValue {
        .object([
            "url": .string(url.absoluteString), "authority": .string(authority.absoluteString),
            "client_id": .string(clientId), "account": accountIdentifier.map(JSONValue.string) ?? .null,
            "username": username.map(JSONValue.string) ?? .null, "scopes": .array(scopes.map(JSONValue.string)),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let url = json["url"]?.string.flatMap({ URL(string: $0) }), let account = json["account"]?.string,
            let authority = json["authority"]?.string.flatMap({ URL(string: $0) }),
            let clientID = json["client_id"]?.string, let scopes = json["scopes"]?.array
        else { return nil }
        self.init(
            url: url, authority: authority, clientId: clientID, accountIdentifier: account,
            username: json["username"]?.string, scopes: scopes.compactMap(\.string))
    }
}

extension URL {
    /// The address that an agreement is about: without a query. Another path is another endpoint.
    var endpoint: URL { URL(string: withoutParameters) ?? self }
}

extension FlowContext {
    /// Runs a flow whose token may go to its destination; throws if nobody decided that.
    func deciding(
        _ request: TokenRequestSnapshot, _ flow: @Sendable () async throws -> TokenOutcome
    ) async throws -> TokenOutcome {
        guard let destination = request.destination ?? settings.destination else { return try await flow() }
        let account = request.account.flatMap { $0.homeAccountID.isEmpty ? nil : $0.homeAccountID }
        _ = try decision(request, destination, account, request.account?.username)
        let outcome = try await flow()
        // Another user may have signed in.
        let (user, token) = (outcome.account, outcome.accessToken)
        if let agreement = try decision(request, destination, user.homeAccountID, user.username, token) {
            try TokenAgreements(documents: OwnDocuments(dependencies)).save(agreement)
        }
        return outcome
    }

    /// The agreement to keep, if the decision needs a new one. Throws if there is neither. Unless the token shows that the
    /// authority bound it, nothing does.
    private func decision(
        _ request: TokenRequestSnapshot, _ destination: MSALTokenDestination, _ account: String?, _ username: String?,
        _ token: Secret? = nil
    ) throws -> MSALTokenAgreement? {
        let granting = request.authority.speaksEntra ? nil : settings.grantingAuthority
        let authority = settings.managedServer?.authority ?? granting ?? request.authority
        let isOfResource = destination.url == settings.destination?.url
        var decision = TokenDecision(
            server: destination.url, authority: authority,
            sendsResource: isOfResource && sentResource != nil && token.map { isUnbound($0, destination) } != true,
            scopes: request.scopes.union(request.offeredScopes))
        decision.named = destination.namedScopes.map { Scopes($0) }
        decision.namesServerOnly = destination.namesServerOnly
        decision.configured = settings.resourceScopes[destination.url.origin]
        decision.managed = settings.isManagedToken(for: destination.url)
        if case .allowed = decision.verdict { return nil }
        let endpoint = destination.url.endpoint
        let known = try TokenAgreements(documents: OwnDocuments(dependencies)).all(of: settings.clientID)
            .filter { $0.authority == authority.url && (account == nil || $0.accountIdentifier == account) }
        let here = known.filter { $0.url == endpoint }
        decision.agreed = here.isEmpty ? nil : Scopes(here.flatMap(\.scopes))
        let missing: Scopes
        switch decision.verdict {
        case .allowed: return nil
        case .needsAgreement(let scopes): missing = scopes
        case .managedElsewhere:
            let issuer = settings.managedServers[destination.url.origin]?.absoluteString ?? ""
            throw AuthenticationFailure.authority(
                .resource(destination.url, .managedElsewhere(authority.url.absoluteString, configured: issuer)))
        case .rejected(let scopes, let api):
            throw AuthenticationFailure.authority(
                .resource(
                    destination.url,
                    .foreignAPI(
                        api, scopes: scopes.names, isAsked: !destination.namesServerOnly,
                        allowed: decision.allowed.names)))
        }
        var question = MSALTokenAgreement(
            url: endpoint, authority: authority.url, clientId: settings.clientID, accountIdentifier: account,
            username: username, scopes: missing.names)
        if let given = destination.agreement, given.url == question.url, given.authority == question.authority,
            given.clientId == question.clientId, given.accountIdentifier.map({ $0 == account }) ?? true,
            missing.isSubset(of: Scopes(given.scopes))
        {
            return question
        }
        question.apis = authority.audienceRule == .scopes ? missing.names.map { ScopeTarget($0).api } : []
        question.otherEndpoints = known.filter { $0.url != endpoint && Scopes($0.scopes).intersects(missing) }.map(
            \.url)
        question.allowedScopes = decision.allowed.names
        let isNamed = decision.named != nil || !(isOfResource || settings.destination == nil)
        throw AuthenticationFailure.needsSignIn(.notAgreed(question, isNamed: isNamed))
    }

    /// Whether a token names only other audiences than the resource. An opaque token says nothing: if the profile's own client gets
    /// it, nothing shows that it isn't good for all of the authority's servers.
    private func isUnbound(_ token: Secret, _ destination: MSALTokenDestination) -> Bool {
        guard let resource = settings.resource else { return false }
        guard let token = try? JWT(parsing: token.reveal()) else {
            return settings.grantingAuthority != nil && !destination.namesApplication
        }
        return !(token.claims.audiences ?? []).contains {
            $0 == resource.identifier || URL(string: $0).map(resource.url.isPart) == true
        }
    }
}
