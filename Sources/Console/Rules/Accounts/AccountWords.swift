import MSAL
import TerminalUI

extension MSALRevocation {
    /// What became of the tokens at the authority; `nil` if there were none.
    package func sentence(at host: String) -> String? {
        let host = Printable.sanitize(host)
        switch self {
        case .revoked: return "The refresh token is revoked at \(host)."
        case .notOffered:
            return "\(host) has no revocation endpoint, so the tokens stay valid there until they expire, if they do."
        case .nothingToRevoke: return nil
        case .failed(let error): return "\(Self.unknown(at: host)) \(Failure(error).reason)"
        }
    }

    package static func unknown(at host: String) -> String {
        "The refresh token may still be valid at \(Printable.sanitize(host))."
    }
}

extension MSALTokenAgreement {
    /// What the user is asked: which server gets which token of whom. Every text in it can be a server's.
    package var facts: [String] {
        var lines = ["\(url.absoluteString) asks for \(demand).", "Application: \(clientId)"]
        if !apis.isEmpty { lines.append("API: \(Set(apis).sorted().joined(separator: ", "))") }
        if !otherEndpoints.isEmpty {
            lines.append("Already allowed for: \(otherEndpoints.map(\.absoluteString).joined(separator: ", "))")
        }
        if !allowedScopes.isEmpty { lines.append("Already allowed here: \(allowedScopes.joined(separator: ", "))") }
        return lines.map(Printable.sanitize)
    }

    package static let meaning = "Yes: this URL gets such tokens until you sign out of it."
}
