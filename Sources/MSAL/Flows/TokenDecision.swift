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
        /// The user has to agree to these.
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
    /// The scopes of the request.
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
        (self.server, self.authority) = (server, authority)
        (self.sendsResource, self.scopes) = (sendsResource, scopes)
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
