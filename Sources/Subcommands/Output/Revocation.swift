import JSON
import KeyturnSystem
import MSAL

extension MSALRevocation {
    fileprivate var word: String {
        switch self {
        case .revoked: "revoked"
        case .notOffered: "notOffered"
        case .nothingToRevoke: "nothingToRevoke"
        case .failed: "failed"
        }
    }

    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    /// Whether no token of this application is valid at the authority.
    var isCertain: Bool {
        switch self {
        case .revoked, .nothingToRevoke: true
        case .notOffered, .failed: false
        }
    }
}

extension JSONValue {
    /// The JSON of an account, with what became of its tokens at the authority if that was tried.
    func adding(_ revocation: MSALRevocation?) -> JSONValue {
        guard let revocation, var members = object else { return self }
        members["revocation"] = .string(revocation.word)
        return .object(members)
    }
}

extension MSALSignoutParameters {
    /// Makes the sign-out revoke the tokens, and note the outcome. An account of another authority is only removed.
    func revoke(
        _ account: MSALAccount, of application: MSALPublicClientApplication, noting outcome: Locked<MSALRevocation?>
    ) {
        guard let others = try? application.otherAuthorities(of: [account]), others.isEmpty else { return }
        revokesTokens = true
        revocationHandler = { revocation in outcome.withLock { $0 = revocation } }
    }
}
