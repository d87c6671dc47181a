import AuthEngine
import Foundation
import OAuthCore

/// Whether a client ID can be one at the authority.
package struct ClientIDFindings: Sendable {
    package var clientID: String
    /// `nil` when it is not known: then any form will do.
    private let authority: Authority?

    package init(_ clientID: String, authority: MSALAuthority?) {
        self.clientID = clientID
        self.authority = authority?.value
    }

    package var all: [CheckFinding] { [finding] }

    /// The one thing that there is to say.
    package var finding: CheckFinding {
        let subject = "Client ID"
        let id = clientID.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !id.isEmpty else {
            return CheckFinding(subject, .wrong, "It is empty.", fix: "Copy it from the application's registration.")
        }
        guard id == clientID, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return CheckFinding(
                subject, .wrong, "It has spaces, or characters that no client ID may have (RFC 6749 appendix A.1).",
                fix: "Copy it again from the application's registration.")
        }
        if wantsGUID, UUID(uuidString: id) == nil {
            return CheckFinding(
                subject, .wrong, "\(id) is no GUID, as all client IDs of Entra are.",
                fix:
                    "Copy the Application (client) ID from the registration's overview, not the name or the URI: it looks "
                    + "like 11111111-2222-3333-4444-555555555555.")
        }
        if authority?.url.host == "accounts.google.com", !id.hasSuffix(Self.googlesEnd) {
            return CheckFinding(
                subject, .attention, "Google's client IDs have another form.", fix: "They end in \(Self.googlesEnd).")
        }
        let form = wantsGUID ? "is a GUID, as Entra's are" : "has the form of a client ID"
        return CheckFinding(subject, .good, "\(id) \(form).")
    }

    private static let googlesEnd = ".apps.googleusercontent.com"

    /// On this computer there may be authorities that only act like Entra.
    private var wantsGUID: Bool {
        guard let authority else { return false }
        if case .openID = authority.kind { return false }
        return !authority.url.isLoopback
    }
}
