import Foundation
import JSON
import MSAL
import OAuthCore

/// Explains an application's configuration in JSON (`appsettings.json`, `auth_config.json`, MSAL.js and others): each value by its role,
/// whatever the library calls it.
struct ConfigurationExplanation {
    let explanation: Explanation

    private typealias Value = (name: String, role: ValueRole, text: String)

    /// `nil` if the text is another JSON document, or one that tells of an error.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Explainer.maximumLength, TextScanner.upperBound(of: "rror\"", in: bytes) == nil,
            // ASP.NET reads comments.
            let members = (try? JSONValue(parsing: JSONComments.removed(from: bytes)))?.object
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
            return CheckFinding(
                name, .failed, "The value has a blank at its start or end.", fix: "Remove the blank.")
        }
        switch role {
        case .authority: return authority(name, text, hasTenant: values.contains { $0.role == .tenant })
        case .tenant: return isForMicrosoft ? tenant(name, text) : nil
        case .clientID: return isForMicrosoft ? client(name, text) : nil
        case .redirectURI: return isForAndroid || text.hasPrefix(android) ? signature(name, text) : nil
        case .issuer, .audience, .resource, .scope, .nonce, .state, .subject, .address, .region: return nil
        }
    }

    /// Also with a typing error.
    private static func isMicrosofts(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host?.lowercased() else { return false }
        return url.microsoftService != nil || nearest(to: host, in: hosts) != nil
    }

    private static let hosts = AuthorityRules.Cloud.allCases.map(\.rawValue)

    private static func authority(_ name: String, _ text: String, hasTenant: Bool) -> CheckFinding? {
        guard let url = URL(string: text), let host = url.host?.lowercased() else { return nil }
        if hasTenant, let segment = url.pathSegments.first, segment != "tfp" {
            return CheckFinding(
                name, .failed, "The value already ends with a tenant, so the authority has two.",
                fix: "Write only the scheme and host: \(Privacy.url(text.replacing("/\(segment)", with: ""))).")
        }
        if let mistake = CheckFinding.endpointAsAuthority(url) { return mistake }
        if url.microsoftService != nil {
            return url.lowercasedScheme == "https"
                ? CheckFinding(name, .passed, "A sign-in host of Microsoft Entra.")
                : CheckFinding(name, .failed, "The value isn't an https URL.", fix: "Start it with https://.")
        }
        return nearest(to: host, in: hosts).map { near in
            CheckFinding(
                name, .failed, "The host name is misspelt: it isn't \(near).", fix: "Write https://\(near)/.")
        }
    }

    private static func tenant(_ name: String, _ text: String) -> CheckFinding? {
        let isPlaceholder = text.contains { "<>[]{} ".contains($0) } || text.lowercased().contains("your")
        let isTenant = UUID(uuidString: text) != nil || ["common", "organizations", "consumers"].contains(text)
        guard isPlaceholder || !isTenant && !text.contains(".") else { return nil }
        return CheckFinding(
            name, .failed, isPlaceholder ? "The tenant is still a placeholder." : "No tenant has this form.",
            fix: "Enter the directory (tenant) ID of the registration's overview.")
    }

    private static func client(_ name: String, _ text: String) -> CheckFinding {
        UUID(uuidString: text) == nil
            ? CheckFinding(
                name, .failed, "The client ID isn't a GUID.",
                fix: "Copy the application (client) ID from the registration's overview.")
            : CheckFinding(name, .passed, "The client ID is a GUID.")
    }

    /// `msauth://PACKAGE/HASH`, with the base64 of the signature's SHA-1 percent-encoded.
    private static func signature(_ name: String, _ uri: String) -> CheckFinding {
        guard let match = uri.wholeMatch(of: #/msauth:\/\/(?<package>[A-Za-z0-9_.]+)\/(?<hash>.+)/#) else {
            return CheckFinding(
                name, .failed, "It doesn't have the form msauth://PACKAGE/HASH.",
                fix: "Copy the redirect URI from the Android platform of the registration.")
        }
        guard !match.hash.contains(#/[+\/=]/#) else {
            return CheckFinding(
                name, .failed, "The signature hash isn't percent-encoded, as it must be in this file.",
                fix: "Write %2B for +, %2F for / and %3D for =. AndroidManifest.xml has the hash without encoding.")
        }
        let sha1Length = 20
        guard Data(base64Encoded: match.hash.removingPercentEncoding ?? "")?.count == sha1Length else {
            return CheckFinding(
                name, .failed, "The signature hash isn't the base64 of a SHA-1.",
                fix: "Compute it again from the certificate that signs the app.")
        }
        return CheckFinding(name, .passed, "The form is right. Each signing certificate needs its own.")
    }

    // MARK: Without a role

    private static func others(_ settings: [String: JSONValue]) -> [CheckFinding] {
        let text = { (name: String) in settings[name]?.visibleText }
        let needsFlow = text("Instance").flatMap { URL(string: $0)?.microsoftService } == .b2c
        let flow =
            needsFlow && text("SignUpSignInPolicyId") ?? "" == ""
            ? CheckFinding(
                "User flow", .failed, "Azure AD B2C needs a user flow, and the settings name none.",
                fix: "Set SignUpSignInPolicyId to the user flow or custom policy, such as B2C_1_signin.") : nil
        let paths = ["CallbackPath", "SignedOutCallbackPath"].map { name in text(name).flatMap { path($0, name) } }
        return ([flow, text("ClientSecret").map(secret)] + paths).compactMap(\.self)
    }

    /// ASP.NET rejects another one when it starts.
    private static func path(_ text: String, _ name: String) -> CheckFinding? {
        guard !text.hasPrefix("/") else { return nil }
        return CheckFinding(
            name, .failed,
            text.contains("://")
                ? "The callback path is a whole URL." : "The callback path doesn't start with a slash.",
            fix: "Write only its path, such as /signin-oidc, and register the application's URL with it.")
    }

    /// The portal shows a secret's ID beside its value.
    private static func secret(_ text: String) -> CheckFinding {
        UUID(uuidString: text) == nil
            ? CheckFinding(
                "ClientSecret", .warning, "The file contains a client secret.",
                fix: "Keep it in user secrets, a vault or the environment. Replace it if the file was shared.")
            : CheckFinding(
                "ClientSecret", .failed, "The client secret looks like the secret's ID.",
                fix: "Create a new secret, and copy its value.")
    }
}
