import Foundation
import MSAL
import OAuthCore

/// What an authorization server promises to clients: registration, PKCE, grants, issuer, scopes, redirect URIs, resources.
extension ResourceWalk {
    var ofServerAbilities: [CheckFinding] {
        guard let server = self.server?.document else { return [] }
        guard !isManaged else { return [registration(server), flow(server), scopes(server)].compactMap(\.self) }
        return [registration(server), publicClients(server), proofKey(server), flow(server), issuerPromise(server)]
            .compactMap(\.self) + [scopes(server), redirectURI, resourceIndicator].compactMap(\.self)
    }

    private func deviation(
        _ subject: String, _ verdict: CheckFinding.Verdict, _ fact: String, _ task: String
    ) -> CheckFinding {
        .deviation(subject, verdict, fact, operatorOf: "authority", task)
    }

    private func registration(_ server: OpenIDConfiguration) -> CheckFinding {
        let subject = ResourceFindings.clientRegistration
        let documents = server.readsClientDocuments
        if let client {
            let origin =
                switch client.clientSource {
                case .configuration: "from the configuration"
                case .document: "the URL of its metadata"
                case .registration: "by registration"
                }
            return CheckFinding(subject, .passed, "This client has an ID there (\(origin)).")
        }
        if let endpoint = server.registrationEndpoint {
            let address = Self.shown(endpoint)
            return CheckFinding(
                subject, .passed,
                "A sign-in registers a client at \(address) (RFC 7591 §3)"
                    + (documents
                        ? ", or uses the URL of its metadata as ID, which MCP prefers (client_id_metadata_document_supported)"
                        : ". URLs of metadata aren't accepted as IDs") + ". Nothing was registered.")
        }
        let fix =
            "Ask the authority's operator for a client ID, then add --client-id ID --authority \(issuer ?? "ISSUER")."
        return documents
            ? CheckFinding(
                subject, lenient,
                "No registration_endpoint (RFC 7591 §3): a client's ID is the URL of its metadata, which must be hosted "
                    + "(client_id_metadata_document_supported).", fix: "Run 'keyturn client-metadata URL'. \(fix)")
            : CheckFinding(
                subject, lenient,
                "Neither registration (RFC 7591 §3) nor client ID metadata documents (MCP \"Client Registration\"): "
                    + "each client needs an ID from the operator.", fix: fix)
    }

    private func publicClients(_ server: OpenIDConfiguration) -> CheckFinding {
        let subject = "Public clients"
        let methods = server.authenticationMethods
        if methods.isEmpty {
            return CheckFinding(
                subject, .skipped,
                "The metadata has no token_endpoint_auth_methods_supported. By default, clients need a secret (RFC 8414 §2)."
            )
        }
        guard !methods.contains("none") else {
            return CheckFinding(subject, .passed, "The token endpoint accepts clients without a secret (RFC 8414 §2).")
        }
        return deviation(
            subject, .warning,
            "token_endpoint_auth_methods_supported has \(Self.quoted(methods)), but not none (RFC 8414 §2). "
                + "Programs on users' computers can't keep a secret (RFC 8252 §8.5).", "accept and list none")
    }

    private func proofKey(_ server: OpenIDConfiguration) -> CheckFinding {
        guard let methods = server.codeChallengeMethods else {
            return deviation(
                "PKCE", .warning,
                "The metadata has no code_challenge_methods_supported (RFC 8414 §2). "
                    + "MCP clients must stop (MCP \"Authorization Code Protection\").", "list S256, if it is supported")
        }
        guard server.lacksS256 else { return CheckFinding("PKCE", .passed, "S256 is supported (RFC 7636 §4.2).") }
        return deviation(
            "PKCE", lenient,
            "code_challenge_methods_supported has \(methods.isEmpty ? "nothing" : Self.quoted(methods)), "
                + "but not S256 (RFC 7636 §4.2).", "support and list S256")
    }

    private func flow(_ server: OpenIDConfiguration) -> CheckFinding? {
        let subject = "Grants"
        if isManaged {
            guard server.grantTypes?.contains(IdentityAssertion.grant) == false else { return nil }
            return deviation(
                subject, .warning,
                "grant_types_supported lacks \(IdentityAssertion.grant) (RFC 8414 §2). The authority may refuse your organisation's "
                    + "assertions (RFC 7523 §2.1).", "accept and list it")
        }
        if server.responseTypes?.contains("code") != true {
            return deviation(
                subject, .warning,
                "response_types_supported \(server.responseTypes == nil ? "is missing, but required" : "lacks code") "
                    + "(RFC 8414 §2). Clients that check the document stop.", "list code")
        }
        let missing = ["authorization_code", "refresh_token"].filter { server.grantTypes?.contains($0) == false }
        guard let first = missing.first else { return nil }
        return deviation(
            subject, .warning,
            "grant_types_supported lacks \(missing.joined(separator: " and ")) (RFC 8414 §2). "
                + (first == "refresh_token"
                    ? "Users sign in again when a token expires." : "Clients that check it stop."),
            "list what is supported")
    }

    private func issuerPromise(_ server: OpenIDConfiguration) -> CheckFinding {
        if let (page, recipient) = server.mixUp(at: .page) ?? server.mixUp(at: .device) {
            return deviation(
                "Issuer in responses", .failed,
                "\(Self.shown(recipient)) gets codes or tokens of \(Self.shown(page)), which can be another "
                    + "authority's (RFC 9700 §4.4). A sign-in without a terminal ends before this page.",
                "use one host, or send iss in authorization responses and announce it")
        }
        guard !server.promisesIssuerInResponse else {
            return CheckFinding(
                "Issuer in responses", .passed, "Promised (iss, RFC 9207 §3): clients reject a response without it.")
        }
        return deviation(
            "Issuer in responses", .warning,
            "Not promised (authorization_response_iss_parameter_supported, RFC 9207 §3). "
                + "Clients can't detect a mix-up of authorities (MCP \"Authorization Response Validation\").",
            "send iss in authorization responses, and announce it")
    }

    /// The scopes that a client requests, and whether the authority knows them.
    private func scopes(_ server: OpenIDConfiguration) -> CheckFinding {
        let challenged = challenges.first(where: \.isBearer)?.scopes.names ?? []
        let requested = challenged.isEmpty ? metadata?.document?.scopesSupported.names ?? [] : challenged
        let section = "(MCP \"Scope Selection Strategy\")"
        guard !requested.isEmpty else {
            return CheckFinding(
                "Scopes", .passed, "Neither challenge nor metadata names scopes: clients request none \(section).")
        }
        let unknown = requested.filter { !server.scopesSupported.contains($0) }
        guard !server.scopesSupported.isEmpty, !unknown.isEmpty else {
            return CheckFinding("Scopes", .passed, "Clients request \(Self.quoted(requested)) \(section).")
        }
        return deviation(
            "Scopes", .warning,
            "Clients request \(Self.quoted(requested)) \(section), but the authority's scopes_supported lacks "
                + "\(Self.quoted(unknown)) (RFC 8414 §2). It may reject the sign-in with invalid_scope.",
            "list and grant them, or the resource's operator to name others")
    }

    private var redirectURI: CheckFinding? {
        guard client == nil else { return nil }
        return CheckFinding(
            "Loopback redirect", .skipped,
            "Without a client, nothing tells whether http://127.0.0.1 is accepted with any port (RFC 8252 §7.3). "
                + "--register tests it.")
    }

    private var resourceIndicator: CheckFinding? {
        guard let identifier = probe.resource?.identifier, let issuer else { return nil }
        if let host = URL(string: issuer)?.host(), MicrosoftHosts.signIn.contains(host.lowercased()) {
            return deviation(
                "Resource indicator", .warning,
                "Microsoft Entra ID rejects a resource (RFC 8707 §2) that isn't the application of the scopes (AADSTS9010010). "
                    + "MCP clients always send it.",
                "add \(Self.quoted(identifier)) to the application's identifier URIs")
        }
        return CheckFinding(
            "Resource indicator", .skipped,
            "Clients send resource=\(Self.quoted(identifier)) (RFC 8707 §2). No metadata says whether the authority "
                + "limits tokens to it.")
    }
}
