import Foundation
import MSAL
import OAuthCore

/// The metadata of a resource, and the authorization servers that it names (RFC 9728).
extension ResourceWalk {
    private static let subject = "Resource metadata"

    var ofMetadata: [CheckFinding] {
        let unsafe = announced.filter { URL(string: $0)?.isAllowedEndpoint(of: probe.url) != true }
            .map(unsafePlace)
        guard !metadataPlaces.isEmpty else { return unsafe }
        guard let place = self.metadata, let metadata = place.document else { return unsafe + [missing] }
        let problems =
            [obstacle(metadata), match(metadata), earlierPlaces, mediaType(place), difference(metadata)].compactMap(
                \.self)
        let found = CheckFinding(Self.subject, .passed, "Found at \(place.url) (RFC 9728 §3.1).")
        return unsafe + (problems.isEmpty ? [found] : problems) + servers(metadata)
    }

    private func deviation(
        _ verdict: CheckFinding.Verdict, _ fact: String, _ task: String, subject: String = subject
    ) -> CheckFinding {
        .deviation(subject, verdict, fact, operatorOf: "resource", task)
    }

    private func unsafePlace(_ text: String) -> CheckFinding {
        deviation(
            .failed,
            "The challenge names \(Self.quoted(text)), which isn't a safe URL: https, and not a private address "
                + "unless the resource has one (RFC 9728 §7.7). Nothing was sent there.", "name the public https URL")
    }

    /// There is no document at any place.
    private var missing: CheckFinding {
        if let misplaced {
            let place = ResourceMetadata.places(of: probe.url, announced: []).first
            return deviation(
                .failed,
                "The metadata is at \(misplaced.url), where clients don't look: "
                    + "the well-known path goes between host and path (RFC 9728 §3.1).",
                "serve it at \(place.map { Self.shown($0.url) } ?? "the well-known place")"
            )
        }
        let seen = metadataPlaces.prefix(4).map { "\($0.url): \($0.obstacle ?? "")" }.joined(separator: "; ")
        let isHidden = metadataPlaces.contains { [401, 403].contains($0.response.status) }
        let isOwn = probe.failure == nil
        return deviation(
            lenient,
            "No metadata, so \(isOwn ? "only clients that know MCP 2025-03-26" : "clients can't") find the authority "
                + "(RFC 9728 §3). \(seen).",
            isHidden
                ? "publish the metadata without requiring a token" : "publish the metadata as JSON at the first place")
    }

    /// Why this client can't use the resource.
    private func obstacle(_ metadata: ResourceMetadata) -> CheckFinding? {
        metadata.obstacle.map { obstacle in
            CheckFinding(
                Self.subject, .failed,
                "A client with plain Bearer tokens can't use it: \(obstacle.reason) (RFC 9728 §2).",
                fix:
                    "Use another client, or ask the resource's operator to accept Bearer tokens in the Authorization header."
            )
        }
    }

    private func match(_ metadata: ResourceMetadata) -> CheckFinding? {
        let named = Self.quoted(metadata.resource)
        let requested = probe.url.absoluteString
        let task = "name the URL of the resource exactly"
        switch metadata.match(probe.url) {
        case .exact where metadata.resource == requested: return nil
        case .exact:
            return deviation(
                .warning,
                "resource is \(named), which differs from \(Self.quoted(requested)) as text. "
                    + "Strict clients stop (RFC 9728 §3.3).", task)
        case .parent:
            return deviation(
                .warning,
                "resource is \(named), a parent of \(Self.quoted(requested)). "
                    + "Strict clients stop (RFC 9728 §3.3).", task)
        case .other:
            return deviation(
                .failed,
                "resource is \(named), not \(Self.quoted(requested)): "
                    + "clients must not use the metadata (RFC 9728 §3.3).", task)
        }
    }

    /// Places before the one that has the metadata.
    private var earlierPlaces: CheckFinding? {
        let failing = metadataPlaces.prefix { $0.document == nil }
            .filter { announced.contains($0.response.url.absoluteString) }
        guard let place = failing.first else { return nil }
        return deviation(
            lenient,
            "The challenge names \(place.url), which has no metadata: \(place.obstacle ?? ""). "
                + "Clients that try no other place stop (RFC 9728 §5.1).", "name the metadata's own URL")
    }

    private func mediaType(_ place: Place<ResourceMetadata>) -> CheckFinding? {
        Self.mediaType(place.response).map {
            deviation(.warning, "\($0) (RFC 9728 §3.2).", "send Content-Type: application/json")
        }
    }

    private func difference(_ metadata: ResourceMetadata) -> CheckFinding? {
        guard
            let other = metadataPlaces.first(where: { place in
                // The root of a host can describe another resource.
                place.document.map {
                    $0.authorizationServers != metadata.authorizationServers && $0.match(probe.url) != .other
                } ?? false
            })
        else { return nil }
        return deviation(
            .warning,
            "\(other.url) names other authorities than \(self.metadata?.url ?? "") (RFC 9728 §3). "
                + "Clients that start there sign in elsewhere.", "serve the same metadata at both places")
    }

    private func servers(_ metadata: ResourceMetadata) -> [CheckFinding] {
        let subject = "Authorization server"
        let named = metadata.authorizationServers
        guard let first = named.first else {
            return [
                deviation(
                    lenient,
                    "The metadata has no authorization_servers (RFC 9728 §2, MCP \"Authorization Server Location\").",
                    "name the issuer of the authority", subject: subject)
            ]
        }
        let unsafe = named.filter { !isServer($0) }.map { server in
            deviation(
                server == first ? lenient : .warning,
                "authorization_servers has \(Self.quoted(server)), which isn't a safe issuer: https, without query "
                    + "and fragment, and not a private address (RFC 8414 §2, RFC 9728 §7.7).",
                "name the public https issuer", subject: subject)
        }
        guard unsafe.isEmpty else { return unsafe }
        return [skipped(named) ?? CheckFinding(subject, .passed, "\(Self.quoted(named)) (RFC 9728 §2).")]
    }

    private func isServer(_ text: String) -> Bool {
        guard let url = URL(string: text), url.isAllowedEndpoint(of: probe.url) else { return false }
        return url.query() == nil && url.fragment() == nil
    }

    /// A sign-in that had to pass over the first server.
    private func skipped(_ named: [String]) -> CheckFinding? {
        guard let used = probe.resource, used.clientId.isEmpty, used.issuer != named.first, let first = named.first
        else { return nil }
        return deviation(
            .warning,
            "\(Self.quoted(first)) is unavailable. Clients that try only the first server stop "
                + "(RFC 9728 §2).", "name a working server first", subject: "Authorization server")
    }
}
