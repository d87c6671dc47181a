import Foundation
import JSON
import MSAL
import OAuthCore

/// An application's configuration in JSON (`appsettings.json`, `auth_config.json`, MSAL.js…): each value by its role.
struct ConfigurationExplanation {
    let explanation: Explanation

    private typealias Value = (name: String, role: ValueRole, text: String)

    /// `nil` if the text is another JSON document, or one that tells of an error.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Explainer.maximumLength,
            // ASP.NET reads comments.
            let members = (try? JSONValue(parsing: JSONComments.removed(from: bytes)))?.object,
            // A member at any depth, or a log's level.
            !JSONValue.object(members).serialized.contains("rror\":"),
            !members.values.contains(where: { $0.string?.hasSuffix("rror") == true })
        else { return nil }
        let objects = members.sorted { $0.key < $1.key }.compactMap(\.value.object) + [members]
        guard let settings = objects.first(where: Self.isConfiguration) else { return nil }
        let values = Self.values(of: settings)
        let rows = values.map { name, role, text in
            let shown = Privacy.text(text, of: role == .redirectURI ? "redirect_uri" : "client_id", for: .explanation)
            return Explanation.Row(name, role == .authority ? Privacy.url(text) : shown)
        }
        explanation = Explanation(
            .configuration, "The configuration of an application.",
            sections: [.init(title: "Configuration", rows: rows)],
            findings: (values.compactMap { Self.finding($0, besides: values, Self.isForAndroid(settings)) }
                + Self.others(settings)).failedFirst)
    }

    private static let android = "msauth://"

    private static func isConfiguration(_ members: [String: JSONValue]) -> Bool {
        let values = values(of: members)
        let roles = Set(values.map(\.role))
        return roles.count > 1 && (isForAndroid(members) || values.contains { $0.text.hasPrefix(android) })
            || roles.contains(.authority) && (roles.count > 1 || values.contains { isMicrosofts($0.text) })
    }

    private static func isForAndroid(_ members: [String: JSONValue]) -> Bool {
        ["account_mode", "authorities", "authorization_user_agent"].contains { members[$0] != nil }
    }

    private static func values(of members: [String: JSONValue]) -> [Value] {
        members.sorted { $0.key < $1.key }.compactMap { name, value in
            guard let (role, owner) = ValueRole.of(name), owner == .configured, let text = value.visibleText else {
                return nil
            }
            return (name, role, text)
        }
    }

    // MARK: By role

    private static func finding(_ value: Value, besides values: [Value], _ isForAndroid: Bool) -> CheckFinding? {
        let (name, role, text) = value
        // Microsoft's rules for client IDs and tenants apply.
        let isForMicrosoft = isForAndroid || values.contains { isMicrosofts($0.text) || $0.text.hasPrefix(android) }
        guard text == text.trimmingCharacters(in: .whitespaces) else {
            return CheckFinding(named: "value-with-blank", name)
        }
        switch role {
        case .authority: return authority(name, text, hasTenant: values.contains { $0.role == .tenant })
        case .tenant: return isForMicrosoft ? tenant(name, text) : nil
        case .clientID: return isForMicrosoft ? client(name, text) : nil
        case .redirectURI: return isForAndroid || text.hasPrefix(android) ? signature(name, text) : nil
        case .issuer, .audience, .resource, .scope, .nonce, .state, .subject, .address, .region: return nil
        }
    }

    private static func isMicrosofts(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host?.lowercased() else { return false }
        return url.microsoftService != nil || nearest(to: host, in: hosts) != nil
    }

    private static let hosts = AuthorityRules.Cloud.allCases.map(\.rawValue)

    private static func authority(_ name: String, _ text: String, hasTenant: Bool) -> CheckFinding? {
        guard let url = URL(string: text), let host = url.host?.lowercased() else { return nil }
        if hasTenant, let segment = url.pathSegments.first, segment != "tfp" {
            let bare = Privacy.url(text.replacing("/\(segment)", with: ""))
            return CheckFinding(named: "authority-with-two-tenants", name, bare)
        }
        if let mistake = CheckFinding.endpointAsAuthority(url) { return mistake }
        if url.microsoftService != nil {
            return CheckFinding(
                named: url.lowercasedScheme == "https" ? "authority-of-entra" : "authority-not-https", name)
        }
        return nearest(to: host, in: hosts).map { CheckFinding(named: "authority-misspelt", name, $0, $0) }
    }

    private static func tenant(_ name: String, _ text: String) -> CheckFinding? {
        let isPlaceholder = text.contains { "<>[]{} ".contains($0) } || text.lowercased().contains("your")
        let isTenant = UUID(uuidString: text) != nil || ["common", "organizations", "consumers"].contains(text)
        guard isPlaceholder || !isTenant && !text.contains(".") else { return nil }
        return CheckFinding(named: isPlaceholder ? "tenant-placeholder" : "tenant-malformed", name)
    }

    private static func client(_ name: String, _ text: String) -> CheckFinding {
        CheckFinding(named: UUID(uuidString: text) == nil ? "client-id-not-guid" : "client-id-guid", name)
    }

    /// `msauth://PACKAGE/HASH`, with the base64 of the signature's SHA-1 percent-encoded.
    private static func signature(_ name: String, _ uri: String) -> CheckFinding {
        guard let match = uri.wholeMatch(of: #/msauth:\/\/(?<package>[A-Za-z0-9_.]+)\/(?<hash>.+)/#) else {
            return CheckFinding(named: "android-uri-malformed", name)
        }
        guard !match.hash.contains(#/[+\/=]/#) else { return CheckFinding(named: "android-hash-unencoded", name) }
        let sha1Length = 20
        let isSHA1 = Data(base64Encoded: match.hash.removingPercentEncoding ?? "")?.count == sha1Length
        return CheckFinding(named: isSHA1 ? "android-uri-in-order" : "android-hash-malformed", name)
    }

    // MARK: Without a role

    private static func others(_ settings: [String: JSONValue]) -> [CheckFinding] {
        let text = { (name: String) in settings[name]?.visibleText }
        let needsFlow = text("Instance").flatMap { URL(string: $0)?.microsoftService } == .b2c
        let flow = CheckFinding("user-flow-missing", if: needsFlow && text("SignUpSignInPolicyId") ?? "" == "")
        let paths = ["CallbackPath", "SignedOutCallbackPath"].map { name in text(name).flatMap { path($0, name) } }
        return ([flow, text("ClientSecret").map(secret)] + paths).compactMap(\.self)
    }

    /// ASP.NET rejects another one when it starts.
    private static func path(_ text: String, _ name: String) -> CheckFinding? {
        guard !text.hasPrefix("/") else { return nil }
        return CheckFinding(named: text.contains("://") ? "callback-whole-url" : "callback-without-slash", name)
    }

    /// The portal shows a secret's ID beside its value.
    private static func secret(_ text: String) -> CheckFinding {
        CheckFinding(named: UUID(uuidString: text) == nil ? "client-secret-in-file" : "client-secret-id")
    }
}
