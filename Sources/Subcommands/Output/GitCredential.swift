import Diagnosis
import Foundation

/// The attributes that git and its credential helpers exchange (git-credential(1), "INPUT/OUTPUT FORMAT").
struct GitCredential: Sendable {
    private var attributes: [(name: String, value: String)] = []

    /// Reads `name=value` lines up to an empty one. git forbids NUL; a line without a name is no attribute.
    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.isEmpty else { break }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { continue }
            let (name, value) = (String(parts[0]), String(parts[1]))
            // An empty value of a list clears it.
            if name.hasSuffix("[]"), value.isEmpty {
                attributes.removeAll { $0.name == name }
            } else {
                attributes.append((name, value))
            }
        }
    }

    subscript(name: String) -> String? { attributes.last { $0.name == name }?.value }

    /// The account that the repository's URL names. Where usernames have no @, it can be the name that goes with a token.
    func accountName(at authorityType: AuthorityKind?) -> String? {
        guard let name = self["username"], name.contains("@") || authorityType == .oauth else { return nil }
        return [Self.anyUsername, "x-access-token", "git"].contains(name) ? nil : name
    }

    func all(_ name: String) -> [String] { attributes.filter { $0.name == name }.map(\.value) }

    /// The scheme, host and port; `nil` if git doesn't name them.
    var address: String? {
        guard let scheme = self["protocol"], let host = self["host"] else { return nil }
        return "\(scheme)://\(host)".lowercased()
    }

    /// The token that git used, and that the host rejected or accepted.
    var token: String? { self["credential"] ?? self["password"] }

    /// Whether git can send the token as `Authorization: Bearer`, and the host asks for it. Others get it as a password.
    var wantsBearer: Bool {
        all("capability[]").contains(Self.authtype)
            && all("wwwauth[]").contains { $0.lowercased().hasPrefix("bearer") }
    }

    private static let authtype = "authtype"

    /// What `capability` prints.
    static let capabilities = "version 0\ncapability \(authtype)\n"

    /// The username that hosts expect beside a token, if the URL names none.
    private static let anyUsername = "oauth2"

    /// What `get` prints. Never an empty password, which git would send.
    func response(token: String, expiresOn: Date?) -> String {
        var lines: [String] = []
        if wantsBearer {
            lines += ["capability[]=\(Self.authtype)", "authtype=Bearer", "credential=\(token)", "ephemeral=1"]
        } else {
            lines += ["username=\(self["username"] ?? Self.anyUsername)", "password=\(token)"]
        }
        if let expiresOn { lines.append("password_expiry_utc=\(Int(expiresOn.timeIntervalSince1970))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
