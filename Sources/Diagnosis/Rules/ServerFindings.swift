import Foundation
import MSAL
import OAuthCore

/// The metadata of the authorization server at all its places (RFC 8414, OpenID Connect Discovery).
extension ResourceWalk {
    var ofServerMetadata: [CheckFinding] {
        guard !serverPlaces.isEmpty, let issuer else { return [] }
        guard let place = self.server, let server = place.document else {
            let seen = serverPlaces.map { "\($0.url): \($0.obstacle ?? "")" }.joined(separator: "; ")
            return [CheckFinding(named: "server-metadata-missing", seen, verdict: lenient)]
        }
        let unsafe = server.endpoints.filter { !$0.isAllowedEndpoint(of: probe.url) }.map(\.absoluteString)
        let invalid = server.unusableEndpoints.keys.sorted().joined(separator: ", ")
        let problems = [
            issuerMatch(server, issuer),
            CheckFinding("server-endpoints-unsafe", Self.quoted(unsafe), if: !unsafe.isEmpty, verdict: lenient),
            CheckFinding("server-endpoints-invalid", invalid, if: !invalid.isEmpty), older(place),
            Self.otherMediaType(place.response).map { CheckFinding(named: "server-media-type", $0) },
            difference(server),
        ].compactMap(\.self)
        return problems.isEmpty ? [CheckFinding(named: "server-metadata-found", place.url)] : problems
    }

    private func issuerMatch(_ server: OpenIDConfiguration, _ expected: String) -> CheckFinding? {
        let found = server.issuer.text
        guard found != expected else { return nil }
        let isSlash = found.withoutRootSlash == expected.withoutRootSlash
        return CheckFinding(
            named: isSlash ? "server-issuer-spelling" : "server-issuer-differs", Self.quoted(found),
            Self.quoted(expected), verdict: isSlash ? .warning : lenient)
    }

    /// The first place is RFC 8414's, which older clients read alone.
    private func older(_ place: Place<OpenIDConfiguration>) -> CheckFinding? {
        guard let first = serverPlaces.first, first.document == nil else { return nil }
        return CheckFinding(named: "server-metadata-at-second", place.url, first.url, first.obstacle ?? "")
    }

    private func difference(_ server: OpenIDConfiguration) -> CheckFinding? {
        serverPlaces.lazy.compactMap { other in
            let names = other.document.map { Self.differences(server, $0) } ?? []
            return CheckFinding(
                "server-metadata-differs", self.server?.url ?? "", other.url, names.joined(separator: ", "),
                if: !names.isEmpty)
        }.first
    }

    private static func differences(_ one: OpenIDConfiguration, _ other: OpenIDConfiguration) -> [String] {
        [
            ("issuer", one.issuer == other.issuer),
            ("authorization_endpoint", one.authorizationEndpoint == other.authorizationEndpoint),
            ("token_endpoint", one.tokenEndpoint == other.tokenEndpoint),
            ("registration_endpoint", one.registrationEndpoint == other.registrationEndpoint),
            ("code_challenge_methods_supported", one.codeChallengeMethods == other.codeChallengeMethods),
            ("token_endpoint_auth_methods_supported", one.authenticationMethods == other.authenticationMethods),
            ("client_id_metadata_document_supported", one.readsClientDocuments == other.readsClientDocuments),
        ].filter { !$0.1 }.map(\.0)
    }
}

/// What an authorization server promises to clients: registration, PKCE, grants, issuer, scopes, redirect URIs, resources.
extension ResourceWalk {
    var ofServerAbilities: [CheckFinding] {
        guard let server = self.server?.document else { return [] }
        let all =
            isManaged
            ? [registration(server), flow(server), scopes(server)]
            : [
                registration(server), publicClients(server), proofKey(server), flow(server), issuerPromise(server),
                scopes(server), CheckFinding("loopback-untested", if: client == nil), resourceIndicator,
            ]
        return all.compactMap(\.self)
    }

    private func registration(_ server: OpenIDConfiguration) -> CheckFinding {
        if let client {
            let origin =
                switch client.clientSource {
                case .configuration: "from the configuration"
                case .document: "the URL of its metadata"
                case .registration: "by registration"
                }
            return CheckFinding(named: "client-known", origin)
        }
        let documents = server.readsClientDocuments
        guard let endpoint = server.registrationEndpoint else {
            return CheckFinding(
                named: documents ? "registration-by-document" : "registration-by-operator", issuer ?? "ISSUER",
                verdict: lenient)
        }
        return CheckFinding(
            named: "registration-offered", Self.shown(endpoint),
            documents
                ? ", or uses the URL of its metadata as ID, which MCP prefers (client_id_metadata_document_supported)"
                : ". URLs of metadata aren't accepted as IDs")
    }

    private func publicClients(_ server: OpenIDConfiguration) -> CheckFinding {
        let methods = server.authenticationMethods
        if methods.isEmpty { return CheckFinding(named: "public-clients-unknown") }
        return methods.contains("none")
            ? CheckFinding(named: "public-clients-accepted")
            : CheckFinding(named: "public-clients-rejected", Self.quoted(methods))
    }

    private func proofKey(_ server: OpenIDConfiguration) -> CheckFinding {
        guard let methods = server.codeChallengeMethods else { return CheckFinding(named: "challenge-methods-missing") }
        guard server.lacksS256 else { return CheckFinding(named: "s256-supported") }
        return CheckFinding(named: "s256-missing", methods.isEmpty ? "nothing" : Self.quoted(methods), verdict: lenient)
    }

    private func flow(_ server: OpenIDConfiguration) -> CheckFinding? {
        func lacks(_ grant: String) -> Bool { server.grantTypes?.contains(grant) == false }
        if isManaged {
            return CheckFinding(
                "grant-of-assertion-missing", IdentityAssertion.grant, if: lacks(IdentityAssertion.grant))
        }
        if server.responseTypes?.contains("code") != true {
            return CheckFinding(
                named: "code-not-listed", server.responseTypes == nil ? "is missing, but required" : "lacks code")
        }
        let missing = ["authorization_code", "refresh_token"].filter(lacks)
        let effect =
            missing.first == "refresh_token" ? "Users sign in again when a token expires" : "Clients that check it stop"
        return CheckFinding("grants-missing", missing.joined(separator: " and "), effect, if: !missing.isEmpty)
    }

    private func issuerPromise(_ server: OpenIDConfiguration) -> CheckFinding {
        if let (page, recipient) = server.mixUp(at: .page) ?? server.mixUp(at: .device) {
            return CheckFinding(named: "mix-up-possible", Self.shown(recipient), Self.shown(page))
        }
        return CheckFinding(named: server.promisesIssuerInResponse ? "issuer-promised" : "issuer-not-promised")
    }

    /// The scopes that a client requests, and whether the authority knows them.
    private func scopes(_ server: OpenIDConfiguration) -> CheckFinding {
        let challenged = challenges.first(where: \.isBearer)?.scopes.names ?? []
        let requested = challenged.isEmpty ? metadata?.document?.scopesSupported.names ?? [] : challenged
        guard !requested.isEmpty else { return CheckFinding(named: "scopes-not-named") }
        let unknown = requested.filter { !server.scopesSupported.contains($0) }
        guard !server.scopesSupported.isEmpty, !unknown.isEmpty else {
            return CheckFinding(named: "scopes-in-order", Self.quoted(requested))
        }
        return CheckFinding(named: "scopes-unknown", Self.quoted(requested), Self.quoted(unknown))
    }

    private var resourceIndicator: CheckFinding? {
        guard let identifier = probe.resource?.identifier, let issuer else { return nil }
        let isEntra = URL(string: issuer)?.host().map { MicrosoftHosts.signIn.contains($0.lowercased()) } ?? false
        return CheckFinding(
            named: isEntra ? "resource-indicator-at-entra" : "resource-indicator-unknown", Self.quoted(identifier))
    }
}
