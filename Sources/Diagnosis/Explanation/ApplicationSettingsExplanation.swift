import Foundation
import JSON
import MSAL
import OAuthCore

/// Explains the settings of Microsoft.Identity.Web (`appsettings.json`): the authority and the client ID must have the right form.
struct ApplicationSettingsExplanation {
    let explanation: Explanation

    private static let sections = ["AzureAd", "AzureAdB2C", "AzureAD"]

    /// `nil` if the text is another JSON document.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Explainer.maximumLength,
            // ASP.NET reads them with comments.
            let members = (try? JSONValue(parsing: JSONComments.removed(from: bytes)))?.object,
            let settings = Self.sections.lazy.compactMap({ members[$0]?.object }).first,
            settings["Instance"]?.string != nil || settings["ClientId"]?.string != nil
        else { return nil }
        func text(_ name: String) -> String? { settings[name]?.visibleText }
        let findings = [
            text("Instance").map { Self.instance($0, besides: text("TenantId")) }, Self.userFlow(settings),
            text("TenantId").flatMap(Self.tenant),
            text("ClientId").map(Self.client), text("ClientSecret").map(Self.secret),
            text("CallbackPath").flatMap { Self.callback($0, "CallbackPath") },
            text("SignedOutCallbackPath").flatMap { Self.callback($0, "SignedOutCallbackPath") },
        ]
        let names = ["Instance", "TenantId", "ClientId", "CallbackPath"]
        explanation = Explanation(
            .configuration, "The settings of an application with Microsoft.Identity.Web.",
            sections: [
                .init(
                    title: "Settings",
                    rows: names.compactMap { name in
                        text(name).map {
                            let isPlace = ["Instance", "CallbackPath"].contains(name)
                            return .init(
                                name, isPlace ? Privacy.url($0) : Privacy.text($0, of: "client_id", for: .explanation))
                        }
                    })
            ], findings: findings.compactMap(\.self).failedFirst)
    }

    private static func instance(_ text: String, besides tenant: String?) -> CheckFinding {
        let subject = "Instance"
        if tenant != nil, let segment = URL(string: text)?.pathSegments.first, segment != "tfp" {
            return CheckFinding(
                subject, .failed, "The instance already ends with a tenant, so the authority has two.",
                fix: "Write only the scheme and host: \(Privacy.url(text.replacing("/\(segment)", with: ""))).")
        }
        let host = URL(string: text)?.host?.lowercased() ?? ""
        let known = AuthorityRules.Cloud.allCases.map(\.rawValue)
        if host.hasSuffix(".b2clogin.com") || host.hasSuffix(".ciamlogin.com") || known.contains(host) {
            return text.hasPrefix("https://")
                ? CheckFinding(subject, .passed, "A sign-in host of Microsoft Entra.")
                : CheckFinding(subject, .failed, "The instance isn't an https URL.", fix: "Start it with https://.")
        }
        if let near = nearest(to: host, in: known) {
            return CheckFinding(
                subject, .failed, "The host name is misspelt: it isn't \(near).", fix: "Write https://\(near)/.")
        }
        return CheckFinding(
            subject, .warning, "The host is none of Microsoft's sign-in hosts.",
            fix:
                "Usually it's https://\(AuthorityRules.Cloud.publicCloud.rawValue)/. For another provider, set Authority instead."
        )
    }

    /// The customers of Azure AD B2C sign in to a user flow or custom policy.
    private static func userFlow(_ settings: [String: JSONValue]) -> CheckFinding? {
        guard let instance = settings["Instance"]?.string, URL(string: instance)?.microsoftService == .b2c,
            settings["SignUpSignInPolicyId"]?.string?.isEmpty ?? true
        else { return nil }
        return CheckFinding(
            "User flow", .failed, "Azure AD B2C needs a user flow, and the settings name none.",
            fix: "Set SignUpSignInPolicyId to the user flow or custom policy, such as B2C_1_signin.")
    }

    private static func tenant(_ text: String) -> CheckFinding? {
        let isPlaceholder = text.contains { "<>[]{} ".contains($0) } || text.lowercased().contains("your")
        let isTenant = UUID(uuidString: text) != nil || ["common", "organizations", "consumers"].contains(text)
        guard isPlaceholder || !isTenant && !text.contains(".") else { return nil }
        return CheckFinding(
            "TenantId", .failed, isPlaceholder ? "The tenant is still a placeholder." : "No tenant has this form.",
            fix: "Enter the directory (tenant) ID of the registration's overview.")
    }

    private static func client(_ text: String) -> CheckFinding {
        UUID(uuidString: text) == nil
            ? CheckFinding(
                "ClientId", .failed, "The client ID isn't a GUID.",
                fix: "Copy the application (client) ID from the registration's overview.")
            : CheckFinding("ClientId", .passed, "The client ID is a GUID.")
    }

    /// ASP.NET rejects another one when it starts.
    private static func callback(_ text: String, _ name: String) -> CheckFinding? {
        guard !text.hasPrefix("/") else { return nil }
        return text.contains("://")
            ? CheckFinding(
                name, .failed, "The callback path is a whole URL.", fix: "Write only its path, such as /signin-oidc.")
            : CheckFinding(
                name, .failed, "The callback path doesn't start with a slash.",
                fix: "Write /\(Self.isPath(text) ? text : "signin-oidc"), and register the application's URL with it.")
    }

    private static func isPath(_ text: String) -> Bool {
        text.utf8.count < 40 && text.utf8.allSatisfy { $0.isASCIILetter || "-_/".utf8.contains($0) }
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
