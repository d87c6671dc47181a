import OAuthCore

extension DemoAuthority {
    func agreed(by user: User, to client: RegisteredClient) -> Set<String> {
        consents[user.objectID]?[client.id] ?? []
    }

    /// The scopes for the consent page: those without consent, or all if the client requests consent again.
    func scopesToRequest(for request: AuthorizeRequest, of user: User) -> [RequestedScope] {
        let client = request.client
        let agreed = agreed(by: user, to: client)
        let repeatsConsent = request.prompts.contains(.consent)
        var requested: [RequestedScope] = []
        for scope in request.scopes.flatMap({
            expand($0, agreed: agreed, repeatsConsent: repeatsConsent, client: client)
        })
        where (repeatsConsent || !agreed.contains(scope.consentKey))
            && !requested.contains(where: { $0.consentKey == scope.consentKey })
        {
            requested.append(scope)
        }
        return requested
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
            RequestedScope(
                text: isDefault ? $0.name : "\(identifier)/\($0.name)",
                kind: .api(resource: identifier, name: $0.name))
        }
    }

    /// The requested scopes that have consent and, as at Entra, the other ones of the same resources that have it. `/.default` is
    /// returned together with the scopes it represents, because clients look for both.
    func grantedScopes(
        of scopes: [RequestedScope], by user: User, to client: RegisteredClient
    ) -> [RequestedScope] {
        let agreed = agreed(by: user, to: client)
        func agreedScopes(of resource: String) -> [RequestedScope] {
            apiScopes(of: resource).filter { agreed.contains($0.consentKey) }
        }
        var granted: [RequestedScope] = []
        for scope in scopes where !granted.contains(scope) {
            let isGranted =
                if case .everythingAgreed(let resource) = scope.kind {
                    !agreedScopes(of: resource).isEmpty
                } else {
                    agreed.contains(scope.consentKey)
                }
            if isGranted { granted.append(scope) }
        }
        for resource in granted.compactMap(\.resource) {
            granted += agreedScopes(of: resource).filter { scope in
                !granted.contains { $0.consentKey == scope.consentKey }
            }
        }
        return granted
    }

    /// Records the user's choice on a consent page. Unticking a scope withdraws earlier consent.
    mutating func record(
        _ requested: [RequestedScope], chosen: Set<String>, by user: User, to client: RegisteredClient
    ) {
        var agreed = agreed(by: user, to: client)
        for scope in requested {
            if scope.kind == .openID || chosen.contains(scope.consentKey) {
                agreed.insert(scope.consentKey)
            } else {
                agreed.remove(scope.consentKey)
            }
        }
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
