import Foundation
import MSAL
import OAuthCore

/// Findings about the form of a client ID.
package struct ClientIDFindings: Sendable {
    package var clientID: String
    /// `nil` if unknown, which allows any form.
    private let authority: Authority?

    package init(_ clientID: String, authority: MSALAuthority?) {
        self.clientID = clientID
        self.authority = authority?.value
    }

    package var all: [CheckFinding] { [finding] }

    /// The finding.
    package var finding: CheckFinding {
        let subject = "Client ID"
        let id = clientID.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !id.isEmpty else {
            return CheckFinding(subject, .failed, "Empty.", fix: "Copy it from the application's registration.")
        }
        guard id == clientID, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return CheckFinding(
                subject, .failed, "Contains spaces or invalid characters (RFC 6749 appendix A.1).",
                fix: "Copy it again from the application's registration.")
        }
        guard !id.contains("://") else {
            return CheckFinding(
                subject, wantsGUID ? .failed : .warning, "\(id) is a URL.",
                fix:
                    "Copy the client ID from the application's registration. Few providers use a URL."
            )
        }
        if wantsGUID, UUID(uuidString: id) == nil {
            return CheckFinding(
                subject, .failed, "Entra requires a GUID, not \(id).",
                fix:
                    "Copy the Application (client) ID from the registration's overview. It looks like "
                    + "11111111-2222-3333-4444-555555555555.")
        }
        if authority?.url.host == "accounts.google.com", !id.hasSuffix(Self.googlesSuffix) {
            return CheckFinding(
                subject, .warning, "Not a Google client ID.",
                fix: "Use the client ID that ends in \(Self.googlesSuffix).")
        }
        guard authority != nil else {
            return CheckFinding(subject, .skipped, "Its form depends on the authority.")
        }
        let form = wantsGUID ? "is a GUID" : "is well-formed"
        return CheckFinding(subject, .passed, "\(id) \(form).")
    }

    private static let googlesSuffix = ".apps.googleusercontent.com"

    /// Local authorities can imitate Entra without using GUIDs.
    private var wantsGUID: Bool {
        guard let authority else { return false }
        return authority.speaksEntra && !authority.url.isLoopback
    }
}
