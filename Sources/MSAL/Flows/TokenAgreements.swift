import Foundation
import OAuthCore

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
        OwnDocuments.key(
            kind,
            [
                agreement.url.absoluteString, agreement.authority.absoluteString, agreement.accountIdentifier ?? "",
                agreement.clientId,
            ])
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
    var endpoint: URL {
        let path = path(percentEncoded: true)
        return URL(string: origin + (path.isEmpty ? "/" : path)) ?? self
    }
}

/// Who decided that the server gets the token of a request.
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
        let signedIn = outcome.account.homeAccountID
        let username = outcome.account.username
        guard let agreement = try decision(request, destination, signedIn, username, outcome.accessToken) else {
            return outcome
        }
        try TokenAgreements(documents: OwnDocuments(dependencies)).save(agreement)
        return outcome
    }

    /// The agreement to keep, if the decision needs a new one. Throws if there is neither.
    ///
    /// - Parameter token: the token, once there is one. Unless it shows that the authority bound it, nothing does.
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
        throw AuthenticationFailure.user(.interactionRequired(.notAgreed(question, isNamed: isNamed)))
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
