import MSAL
import TerminalUI

extension MSALRevocation {
    /// What became of the tokens at the authority; `nil` if there were none.
    package func sentence(at host: String) -> String? {
        let host = Printable.sanitize(host)
        return switch self {
        case .revoked: "The refresh token is revoked at \(host)."
        case .notOffered: "\(host) has no revocation endpoint, so the refresh token stays valid there until it expires."
        case .nothingToRevoke: nil
        case .failed(let error): "The refresh token is still valid at \(host). \(Failure(reporting: error).reason)"
        }
    }
}
