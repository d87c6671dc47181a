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

    /// What is said of the tokens before an outcome is known.
    package static func unknown(at host: String) -> String {
        "The refresh token may still be valid at \(Printable.sanitize(host))."
    }
}
