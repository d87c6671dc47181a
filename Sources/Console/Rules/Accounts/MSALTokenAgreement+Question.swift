import MSAL
import TerminalUI

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
