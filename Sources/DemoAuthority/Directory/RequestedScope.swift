import Foundation

package struct RequestedScope: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `openid`, `profile`, `email` or `offline_access`, which belong to no resource.
        case openID
        case api(resource: String, name: String)
        /// `<resource>/.default`: all scopes of the resource with consent.
        case everythingAgreed(resource: String)
    }

    static let openIDNames: Set<String> = ["openid", "profile", "email", "offline_access"]

    /// The scope as the client wrote it. Responses repeat it unchanged, because clients compare strings.
    package var text: String
    package var kind: Kind

    /// Lower case, with its resource.
    package var consentKey: String {
        switch kind {
        case .openID: text.lowercased()
        case .api(let resource, let name): "\(resource)/\(name)".lowercased()
        case .everythingAgreed(let resource): "\(resource)/.default".lowercased()
        }
    }

    package var resource: String? {
        switch kind {
        case .openID: nil
        case .api(let resource, _), .everythingAgreed(let resource): resource
        }
    }
}

extension Directory {
    /// RFC 6749 §3.3. Rejects unknown scopes.
    func scopes(in text: String) throws(AuthorityError) -> [RequestedScope] {
        var scopes: [RequestedScope] = []
        for word in text.split(separator: " ") {
            guard let scope = scope(String(word)) else {
                throw AuthorityError(.unknownScope, detail: "Scope: \(quoted(word)).")
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }

    private func scope(_ word: String) -> RequestedScope? {
        if RequestedScope.openIDNames.contains(word) { return RequestedScope(text: word, kind: .openID) }
        let own = ownName(of: word)
        guard let resource = resource(of: own) else { return nil }
        let identifier = resource.identifier
        // A resource that ends in a slash keeps it before `/.default`, so a double slash is equivalent to one.
        let name = (own.hasPrefix(identifier) ? own.dropFirst(identifier.count) : own[...]).drop { $0 == "/" }
        if name == ".default" { return RequestedScope(text: word, kind: .everythingAgreed(resource: identifier)) }
        return resource.scope(named: name).map {
            RequestedScope(text: word, kind: .api(resource: identifier, name: $0.name))
        }
    }

    /// The scope's name here: Microsoft Graph's are those of the first resource, so that its tutorials work.
    private func ownName(of word: String) -> String {
        let graph = "https://graph.microsoft.com"
        guard word.hasPrefix("\(graph)/"), let first = resources.first,
            !resources.contains(where: { $0.identifier == graph })
        else { return word }
        return "\(first.identifier)\(word.dropFirst(graph.count))"
    }

    private func resource(of word: String) -> ProtectedResource? {
        // One identifier can begin with another.
        resources.filter { word.hasPrefix("\($0.identifier)/") }.max { $0.identifier.count < $1.identifier.count }
            ?? (word.contains("/") ? nil : resources.first)
    }

    /// A resource's scopes by consent key, with their texts for the consent page.
    func offer(for consentKey: String) -> ProtectedResource.Scope? {
        resources.lazy.compactMap { resource in
            resource.scopes.first { "\(resource.identifier)/\($0.name)".lowercased() == consentKey }
        }.first
    }
}
