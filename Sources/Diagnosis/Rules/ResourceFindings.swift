import Foundation
import MSAL
import OAuthCore

/// What a client will trip over at a protected resource and its authorization server, in the order of a sign-in. Each
/// finding names the section of a specification; "MCP" is the authorization specification of the Model Context Protocol.
package struct ResourceFindings {
    package static let clientRegistration = "Client registration"

    package let all: [CheckFinding]

    /// - Parameters:
    ///   - client: the resource with a client that was registered after the probe.
    ///   - isManaged: whether the user's organisation grants access, so that nobody signs in at the server's authority.
    package init(_ probe: MSALResourceProbe, client: MSALProtectedResource? = nil, isManaged: Bool = false) {
        let walk = ResourceWalk(probe, client: client, isManaged: isManaged)
        all = walk.ofChallenge + walk.ofMetadata + walk.ofServerMetadata + walk.ofServerAbilities
    }
}

extension CheckFinding {
    /// A finding that the operator of a server can fix.
    /// - Parameter operatorOf: "resource" or "authority".
    static func deviation(
        _ subject: String, _ verdict: Verdict, _ fact: String, operatorOf server: String, _ task: String
    ) -> CheckFinding {
        CheckFinding(subject, verdict, fact, fix: "Ask the \(server)'s operator to \(task).")
    }
}

/// The response to a request without a token.
extension ResourceWalk {
    private static let subject = "Challenge"

    var ofChallenge: [CheckFinding] {
        guard let first, let status = first.status else { return [] }
        if let malformed {
            return [deviation(.failed, "\(malformed.reason) (RFC 9110 §11.6.1)", "send a short challenge")]
        }
        return [[401, 403].contains(status) ? content(status) : other(status, first)] + details
    }

    private func deviation(_ verdict: CheckFinding.Verdict, _ fact: String, _ task: String) -> CheckFinding {
        .deviation(Self.subject, verdict, fact, operatorOf: "resource", task)
    }

    private var isBearer: Bool { challenges.contains(where: \.isBearer) }

    private func content(_ status: Int) -> CheckFinding {
        if challenges.isEmpty {
            return deviation(
                lenient,
                "HTTP \(status) has no challenge, so clients can't tell that a token helps (RFC 9110 §15.5.2).",
                "respond with HTTP 401 and WWW-Authenticate: Bearer")
        }
        guard isBearer else {
            let schemes = Self.quoted(challenges.map(\.scheme))
            return deviation(
                lenient, "The challenge has no scheme Bearer (RFC 6750 §3), only \(schemes).",
                "offer Bearer too, or use a client that supports the scheme")
        }
        guard status == 401 else {
            return deviation(
                .warning, "HTTP 403 without a token: clients expect 401 (RFC 6750 §3.1), and 403 as the end.",
                "respond with HTTP 401")
        }
        guard !announced.isEmpty else {
            return deviation(
                .warning,
                "The challenge names no resource_metadata (RFC 9728 §5.1). Clients that don't try the well-known places stop.",
                "add resource_metadata with the metadata's URL to the challenge")
        }
        return CheckFinding(
            Self.subject, .passed, "HTTP 401 with Bearer and resource_metadata (RFC 6750 §3, RFC 9728 §5.1).")
    }

    /// Neither 401 nor 403.
    private func other(_ status: Int, _ response: MSALResourceProbe.Response) -> CheckFinding {
        if let location = response.location {
            return deviation(
                lenient,
                "Redirects to \(Self.shown(url: location)) instead of responding with HTTP 401 (RFC 6750 §3).",
                "respond with HTTP 401, also to programs. If you trust that URL, check it instead")
        }
        switch status {
        case 200..<300:
            return deviation(
                lenient, "HTTP \(status) without a token: clients don't learn that they need one (RFC 6750 §3).",
                "respond with HTTP 401, if a token is required. Check that this is the API's URL")
        case 405:
            return CheckFinding(
                Self.subject, .skipped, "GET isn't allowed (HTTP 405), so the challenge of other methods is unknown.")
        case 500...:
            return deviation(lenient, "The resource failed: HTTP \(status).", "find the error in the server's log")
        default:
            return deviation(
                lenient, "HTTP \(status) instead of 401, so there is no challenge (RFC 6750 §3.1).",
                "respond with HTTP 401 if the token is missing. Check the URL")
        }
    }

    private var details: [CheckFinding] {
        let mistakes = Challenge.mistakes(in: first?.challenges ?? [])
        let repeated = challenges.contains { $0.resourceMetadata.count > 1 }
        let error = challenges.first(where: \.isBearer)?.error
        return [
            mistakes.isEmpty
                ? nil
                : deviation(
                    .warning,
                    "The challenge has \(mistakes.map(\.rawValue).joined(separator: ", ")) (RFC 9110 §11.6.1). "
                        + "Clients may not find its parameters.", "correct the syntax"),
            repeated
                ? deviation(
                    .warning,
                    "The challenge names resource_metadata twice (RFC 9110 §11.2). Clients read either the first or the last.",
                    "name it once") : nil,
            error.map {
                deviation(
                    .warning,
                    "The challenge has error=\(Self.quoted($0)) although no token was sent (RFC 6750 §3.1). "
                        + "Clients may try a refresh instead of a sign-in.", "leave out error if there is no token")
            },
        ].compactMap(\.self)
    }
}
