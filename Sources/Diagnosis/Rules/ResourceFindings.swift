import Foundation
import MSAL
import OAuthCore

/// What a client will trip over at a protected resource and its authorization server, in the order of a sign-in.
/// Each
/// finding names the section of a specification; "MCP" is the authorization specification of the Model Context Protocol.
package struct ResourceFindings {
    package static let clientRegistration = "Client registration"

    package let all: [CheckFinding]

    /// `client` was registered after the probe. `isManaged`: the user's organisation grants access, so that nobody signs in there.
    package init(_ probe: MSALResourceProbe, client: MSALProtectedResource? = nil, isManaged: Bool = false) {
        let walk = ResourceWalk(probe, client: client, isManaged: isManaged)
        all = walk.ofChallenge + walk.ofMetadata + walk.ofServerMetadata + walk.ofServerAbilities
    }
}

/// The response to a request without a token.
extension ResourceWalk {
    var ofChallenge: [CheckFinding] {
        guard let first, let status = first.status else { return [] }
        if let malformed {
            return [
                CheckFinding(
                    "Challenge", .failed, "\(malformed.reason) (RFC 9110 §11.6.1)",
                    fix: "Ask the resource's operator to send a short challenge.")
            ]
        }
        return [[401, 403].contains(status) ? content(status) : other(status, first)] + details
    }

    private func content(_ status: Int) -> CheckFinding {
        if challenges.isEmpty { return CheckFinding(named: "challenge-absent", "\(status)", verdict: lenient) }
        guard challenges.contains(where: \.isBearer) else {
            return CheckFinding(
                named: "challenge-without-bearer", Self.quoted(challenges.map(\.scheme)), verdict: lenient)
        }
        guard status == 401 else { return CheckFinding(named: "challenge-with-403") }
        return CheckFinding(named: announced.isEmpty ? "challenge-without-metadata" : "challenge-in-order")
    }

    /// Neither 401 nor 403.
    private func other(_ status: Int, _ response: MSALResourceProbe.Response) -> CheckFinding {
        if let location = response.location {
            return CheckFinding(named: "challenge-by-redirect", Self.shown(url: location), verdict: lenient)
        }
        switch status {
        case 200..<300: return CheckFinding(named: "challenge-not-needed", "\(status)", verdict: lenient)
        case 405: return CheckFinding(named: "challenge-not-for-get")
        case 500...: return CheckFinding(named: "challenge-of-failed-server", "\(status)", verdict: lenient)
        default: return CheckFinding(named: "challenge-with-other-status", "\(status)", verdict: lenient)
        }
    }

    private var details: [CheckFinding] {
        let mistakes = Challenge.mistakes(in: first?.challenges ?? []).map(\.rawValue).joined(separator: ", ")
        let error = challenges.first(where: \.isBearer)?.error
        return [
            CheckFinding("challenge-with-mistakes", mistakes, if: !mistakes.isEmpty),
            CheckFinding("challenge-with-two-places", if: challenges.contains { $0.resourceMetadata.count > 1 }),
            error.map { CheckFinding(named: "challenge-with-error", Self.quoted($0)) },
        ].compactMap(\.self)
    }
}

/// The metadata of a resource, and the authorization servers that it names (RFC 9728).
extension ResourceWalk {
    var ofMetadata: [CheckFinding] {
        let unsafe = announced.filter { URL(string: $0)?.isAllowedEndpoint(of: probe.url) != true }
            .map { CheckFinding(named: "metadata-place-unsafe", Self.quoted($0)) }
        guard !metadataPlaces.isEmpty else { return unsafe }
        guard let place = self.metadata, let metadata = place.document else { return unsafe + [missing] }
        // Why this client can't use the resource.
        let obstacle = metadata.obstacle.map { CheckFinding(named: "metadata-with-demands", $0.reason) }
        let type = Self.otherMediaType(place.response).map { CheckFinding(named: "metadata-media-type", $0) }
        let problems = [obstacle, match(metadata), earlierPlaces, type, difference(metadata)].compactMap(\.self)
        let found = CheckFinding(named: "metadata-found", place.url)
        return unsafe + (problems.isEmpty ? [found] : problems) + servers(metadata)
    }

    private var missing: CheckFinding {
        if let misplaced {
            let place = ResourceMetadata.places(of: probe.url, announced: []).first
            return CheckFinding(
                named: "metadata-misplaced", misplaced.url, place.map { Self.shown($0.url) } ?? "the well-known place")
        }
        let seen = metadataPlaces.prefix(4).map { "\($0.url): \($0.obstacle ?? "")" }.joined(separator: "; ")
        let isHidden = metadataPlaces.contains { [401, 403].contains($0.response.status) }
        return CheckFinding(
            named: "metadata-missing", probe.failure == nil ? "only clients that know MCP 2025-03-26" : "clients can't",
            seen, isHidden ? "without requiring a token" : "as JSON at the first place", verdict: lenient)
    }

    private func match(_ metadata: ResourceMetadata) -> CheckFinding? {
        let requested = probe.url.absoluteString
        let name: String
        switch metadata.match(probe.url) {
        case .exact where metadata.resource == requested: return nil
        case .exact: name = "metadata-in-other-words"
        case .parent: name = "metadata-of-parent"
        case .other: name = "metadata-of-other"
        }
        return CheckFinding(named: name, Self.quoted(metadata.resource), Self.quoted(requested))
    }

    /// Places before the one that has the metadata.
    private var earlierPlaces: CheckFinding? {
        metadataPlaces.prefix { $0.document == nil }
            .first { announced.contains($0.response.url.absoluteString) }
            .map { CheckFinding(named: "metadata-not-at-place", $0.url, $0.obstacle ?? "", verdict: lenient) }
    }

    private func difference(_ metadata: ResourceMetadata) -> CheckFinding? {
        let other = metadataPlaces.first { place in
            // The root of a host can describe another resource.
            place.document.map {
                $0.authorizationServers != metadata.authorizationServers && $0.match(probe.url) != .other
            } ?? false
        }
        return other.map { CheckFinding(named: "metadata-with-other-servers", $0.url, self.metadata?.url ?? "") }
    }

    private func servers(_ metadata: ResourceMetadata) -> [CheckFinding] {
        let named = metadata.authorizationServers
        guard let first = named.first else { return [CheckFinding(named: "servers-missing", verdict: lenient)] }
        let unsafe = named.filter { !isServer($0) }.map { server in
            CheckFinding(named: "server-unsafe", Self.quoted(server), verdict: server == first ? lenient : .warning)
        }
        guard unsafe.isEmpty else { return unsafe }
        // A sign-in that had to pass over the first server.
        if let used = probe.resource, used.clientId.isEmpty, used.issuer != first {
            return [CheckFinding(named: "server-unavailable", Self.quoted(first))]
        }
        return [CheckFinding(named: "servers-in-order", Self.quoted(named))]
    }

    private func isServer(_ text: String) -> Bool {
        guard let url = URL(string: text), url.isAllowedEndpoint(of: probe.url) else { return false }
        return url.query() == nil && url.fragment() == nil
    }
}
