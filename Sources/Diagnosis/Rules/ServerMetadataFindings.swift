import Foundation
import MSAL
import OAuthCore

/// The metadata of the authorization server at all its places (RFC 8414, OpenID Connect Discovery).
extension ResourceWalk {
    private static let subject = "Authority metadata"

    var ofServerMetadata: [CheckFinding] {
        guard !serverPlaces.isEmpty, let issuer else { return [] }
        guard let place = self.server, let server = place.document else { return [missing] }
        let problems =
            [
                issuerMatch(server, issuer), endpoints(server), unusable(server), older(place), mediaType(place),
                difference(server),
            ]
            .compactMap(\.self)
        let found = CheckFinding(Self.subject, .passed, "Found at \(place.url), with this issuer (RFC 8414 §3.3).")
        return problems.isEmpty ? [found] : problems
    }

    private func deviation(_ verdict: CheckFinding.Verdict, _ fact: String, _ task: String) -> CheckFinding {
        .deviation(Self.subject, verdict, fact, operatorOf: "authority", task)
    }

    private var missing: CheckFinding {
        let seen = serverPlaces.map { "\($0.url): \($0.obstacle ?? "")" }.joined(separator: "; ")
        return deviation(
            lenient,
            "No metadata that a client can use (RFC 8414 §3, MCP \"Authorization Server Metadata Discovery\"). \(seen).",
            "publish valid metadata as JSON at the first place. If the resource names the wrong authority, ask the resource's operator"
        )
    }

    private func issuerMatch(_ server: OpenIDConfiguration, _ expected: String) -> CheckFinding? {
        let found = server.issuer.text
        guard found != expected else { return nil }
        let fact = "issuer is \(Self.quoted(found)), but the resource names \(Self.quoted(expected))"
        let isSlash = found.withoutRootSlash == expected.withoutRootSlash
        return deviation(
            isSlash ? .warning : lenient,
            isSlash
                ? "\(fact). Strict clients stop (RFC 8414 §3.3)."
                : "\(fact): clients must not use the metadata (RFC 8414 §3.3).",
            "use one spelling. The resource's authorization_servers must have it too")
    }

    private func endpoints(_ server: OpenIDConfiguration) -> CheckFinding? {
        let unsafe = server.endpoints.filter { !$0.isAllowedEndpoint(of: probe.url) }
        guard !unsafe.isEmpty else { return nil }
        return deviation(
            lenient,
            "The metadata names \(Self.quoted(unsafe.map(\.absoluteString))): endpoints must use https, and a public "
                + "resource can't lead to a private address (RFC 8414 §2, RFC 9728 §7.7). Nothing was sent there.",
            "name the public https URLs")
    }

    private func unusable(_ server: OpenIDConfiguration) -> CheckFinding? {
        guard !server.unusableEndpoints.isEmpty else { return nil }
        let names = server.unusableEndpoints.keys.sorted().joined(separator: ", ")
        return deviation(
            .warning, "The URL of \(names) isn't valid (RFC 8414 §2). Clients do without, or stop.", "name https URLs")
    }

    /// The first place is RFC 8414's, which older clients read alone.
    private func older(_ place: Place<OpenIDConfiguration>) -> CheckFinding? {
        guard let first = serverPlaces.first, first.document == nil else { return nil }
        return deviation(
            .warning,
            "Found only at \(place.url). At \(first.url): \(first.obstacle ?? ""). Clients without OpenID Connect "
                + "Discovery stop (RFC 8414 §3.1).", "publish the metadata at the second URL too")
    }

    private func mediaType(_ place: Place<OpenIDConfiguration>) -> CheckFinding? {
        Self.mediaType(place.response).map {
            deviation(.warning, "\($0) (RFC 8414 §3.2).", "send Content-Type: application/json")
        }
    }

    static func mediaType(_ response: MSALResourceProbe.Response) -> String? {
        guard response.mediaType != "application/json" else { return nil }
        let type = response.mediaType.map(Self.quoted) ?? "missing"
        return "The metadata's Content-Type is \(type) instead of application/json"
    }

    private func difference(_ server: OpenIDConfiguration) -> CheckFinding? {
        for other in serverPlaces {
            guard let document = other.document else { continue }
            let names = Self.differences(server, document)
            guard !names.isEmpty else { continue }
            return deviation(
                .warning,
                "\(self.server?.url ?? "") and \(other.url) differ in \(names.joined(separator: ", ")). "
                    + "Clients behave by the one that they read first (RFC 8414 §5).",
                "serve the same members at both places")
        }
        return nil
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
