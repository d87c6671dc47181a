import OAuthCore

extension DemoAuthority {
    func agreed(by user: User, to client: RegisteredClient) -> Set<String> {
        consents[user.objectID]?[client.id] ?? []
    }

    /// The scopes for the consent page: those without consent, or all if the client requests consent again.
    func scopesToRequest(for request: AuthorizeRequest, of user: User) -> [RequestedScope] {
        let agreed = agreed(by: user, to: request.client)
        let repeatsConsent = request.prompts.contains(.consent)
        var known = repeatsConsent ? [] : agreed
        return request.scopes
            .flatMap { expand($0, agreed: agreed, repeatsConsent: repeatsConsent, client: request.client) }
            .filter { known.insert($0.consentKey).inserted }
    }

    /// The individual scopes that a scope represents. `/.default` requests consent only if the user gave none before.
    private func expand(
        _ scope: RequestedScope, agreed: Set<String>, repeatsConsent: Bool, client: RegisteredClient
    ) -> [RequestedScope] {
        guard case .everythingAgreed(let identifier) = scope.kind else { return [scope] }
        let all = apiScopes(of: identifier)
        if !repeatsConsent, all.contains(where: { agreed.contains($0.consentKey) }) { return [] }
        let fixed = all.filter { client.staticScopes.contains($0.text) }
        return fixed.isEmpty ? all : fixed
    }

    /// All scopes of a resource, in their shortest form.
    private func apiScopes(of identifier: String) -> [RequestedScope] {
        guard let resource = directory.resources.first(where: { $0.identifier == identifier }) else { return [] }
        let isDefault = identifier == directory.resources.first?.identifier
        return resource.scopes.map {
            let text = isDefault ? $0.name : "\(identifier)/\($0.name)"
            return RequestedScope(text: text, kind: .api(resource: identifier, name: $0.name))
        }
    }

    /// The requested scopes that have consent and, as at Entra, the other ones of the same resources that have it. `/.default` is
    /// returned together with the scopes it represents, because clients look for both.
    func grantedScopes(of scopes: [RequestedScope], by user: User, to client: RegisteredClient) -> [RequestedScope] {
        let agreed = agreed(by: user, to: client)
        func agreedScopes(of resource: String) -> [RequestedScope] {
            apiScopes(of: resource).filter { agreed.contains($0.consentKey) }
        }
        var granted = scopes.filter { scope in
            guard case .everythingAgreed(let resource) = scope.kind else { return agreed.contains(scope.consentKey) }
            return !agreedScopes(of: resource).isEmpty
        }
        for resource in granted.compactMap(\.resource) {
            let keys = Set(granted.map(\.consentKey))
            granted += agreedScopes(of: resource).filter { !keys.contains($0.consentKey) }
        }
        return granted
    }

    /// Records the user's choice on a consent page. Unticking a scope withdraws earlier consent.
    mutating func record(
        _ requested: [RequestedScope], chosen: Set<String>, by user: User, to client: RegisteredClient
    ) {
        var agreed = agreed(by: user, to: client)
        agreed.subtract(requested.map(\.consentKey))
        agreed.formUnion(requested.filter { $0.kind == .openID || chosen.contains($0.consentKey) }.map(\.consentKey))
        consents[user.objectID, default: [:]][client.id] = agreed
    }

    func permission(for scope: RequestedScope) -> Page.Permission {
        let offer = directory.offer(for: scope.consentKey)
        let (title, explanation) =
            switch scope.text {
            case "openid": ("Sign you in", "Recognise your account.")
            case "profile": ("See your name", "Your name and username.")
            case "email": ("See your email address", "The address in the directory.")
            case "offline_access": ("Keep this access", "Even while you aren't using it.")
            default: (offer?.title ?? scope.text, offer?.explanation ?? "")
            }
        return Page.Permission(scope: scope, title: title, explanation: explanation)
    }
}
