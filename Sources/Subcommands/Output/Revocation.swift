import Console
import JSON
import KeyturnSystem
import MSAL

extension MSALRevocation {
    func lines(at host: String) -> String { sentence(at: host).map { "\($0)\n" } ?? "" }

    private var word: String {
        switch self {
        case .revoked: "revoked"
        case .notOffered: "notOffered"
        case .nothingToRevoke: "nothingToRevoke"
        case .failed: "failed"
        }
    }

    fileprivate var json: JSONValue { .string(word) }
}

extension JSONValue {
    /// The JSON of an account, with what became of its tokens at the authority if that was tried.
    func adding(_ revocation: MSALRevocation?) -> JSONValue {
        guard let revocation, var members = object else { return self }
        members["revocation"] = revocation.json
        return .object(members)
    }
}

extension MSALSignoutParameters {
    /// Makes the sign-out revoke the tokens, and returns where the outcome will be. An account of another authority is only
    /// removed.
    func revoking(
        _ account: MSALAccount, of application: MSALPublicClientApplication
    ) -> Locked<MSALRevocation?> {
        let outcome = Locked<MSALRevocation?>(nil)
        guard let others = try? application.otherAuthorities(of: [account]), others.isEmpty else { return outcome }
        revokesTokens = true
        revocationHandler = { revocation in outcome.withLock { $0 = revocation } }
        return outcome
    }
}
