import Console
import DemoAuthority

extension Scenario {
    /// One sign-in at an authority with a fault, and a refresh if the fault is of refreshes.
    init(_ fault: Fault) {
        let ending: GuidedWalk.Step.Expectation =
            switch fault.demand {
            case .accept: .token(isFromCache: false)
            case .reject: .anyFailure
            case .ignore: .failure(.userCanceled)
            }
        let demand = fault.demand.sentence
        let story = "\(fault.behaviour) \(demand)"
        let look = [demand, fault.reference].compactMap(\.self).joined(separator: " ")
        let steps: [GuidedWalk.Step] =
            fault.isOfRefreshes
            ? [
                .signIn(
                    Self.ann, resource: fault.resource, look: "The sign-in works: the fault is in refreshes."),
                .silently(Self.ann, resource: fault.resource, isForced: true, gives: ending, look: look),
            ]
            : fault.isOfSignOuts
                ? [
                    .signIn(Self.ann, look: "The sign-in works: the fault is in sign-outs."),
                    .remove(Self.ann, revokes: true, look: look),
                ]
                : [.signIn(Self.ann, resource: fault.resource, gives: ending, look: look)]
        self.init(
            name: "fault-\(fault.name)", title: fault.title,
            story: story, steps: steps, teaches: story)
        settings = fault.settings
        client.isManaged = fault.isOfAssertions
    }
}

extension Fault.Demand {
    fileprivate var sentence: String {
        switch self {
        case .reject: "The client must return an error."
        case .accept: "The client must continue."
        case .ignore: "The client must ignore the response, and wait for another until the user cancels."
        }
    }
}

extension Fault {
    private static let words = [
        "dpop": "DPoP", "es256": "ES256", "id": "ID", "uri": "URI", "json": "JSON", "ps256": "PS256", "s256": "S256",
    ]

    /// The titles of faults whose names don't read as phrases.
    private static let titles = [
        "pushed-request-failed": "Pushed request, failed", "pushed-request-rejected": "Pushed request, rejected",
        "pushed-request-without-uri": "Pushed request without a URI", "revoked-early": "Sign-in revoked early",
        "deep-body": "Deeply nested response", "discovery-wrong-issuer": "Metadata of another issuer",
        "discovery-missing-endpoint": "Metadata without a token endpoint",
        "discovery-not-json": "Metadata that isn't JSON", "huge-body": "Huge response",
        "page": "Web page instead of tokens", "server-without-keys": "OAuth metadata without signing keys",
        "slow-drip": "Very slow response", "truncated": "Truncated response",
        "missing-key-id-one-key": "Missing key ID, one key",
        "missing-key-id-several-keys": "Missing key ID, several keys",
        "resource-other": "API metadata of another origin", "resource-sibling": "API metadata of a similar path",
        "resource-parent": "API metadata of the parent path",
        "registration-other-redirect": "Registration of another URI",
        "resource-endless-challenge": "Endless challenge of an API",
        "resource-huge-challenge": "Huge challenge of an API",
        "resource-requires-dpop": "API that requires DPoP",
        "resource-unsafe-authority": "API metadata with an unsafe authority",
        "resource-unsafe-metadata": "API metadata at an unsafe URL",
        "resource-without-metadata": "API without metadata",
        "resource-without-authority": "API metadata without an authority",
        "server-wrong-issuer": "OAuth metadata of another issuer", "server-without-s256": "OAuth metadata without S256",
        "server-without-registration": "Authority without registration",
        "userinfo-wrong-subject": "UserInfo of another user",
        "refreshed-wrong-issuer": "Wrong issuer after refresh",
        "refreshed-wrong-subject": "Wrong subject after refresh",
        "refreshed-wrong-nonce": "Wrong nonce after refresh", "refreshed-without-id-token": "No ID token after refresh",
        "refreshed-without-refresh-token": "No refresh token after refresh",
    ]

    fileprivate var title: String {
        if let title = Self.titles[name] { return title }
        let words = name.replacing("issued-at", with: "issue-time").split(separator: "-").map {
            Self.words[String($0)] ?? String($0)
        }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
