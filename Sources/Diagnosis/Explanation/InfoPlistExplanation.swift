import Foundation
import MSAL
import OAuthCore

/// Explains an application's `Info.plist` or its entitlements: what MSAL reads there.
struct InfoPlistExplanation {
    let explanation: Explanation

    init?(_ bytes: [UInt8], clientID: String) {
        guard bytes.count <= AppRegistration.maximumBytes else { return nil }
        if let entitlements = Entitlements(parsing: bytes) {
            explanation = Self.explanation(entitlements)
            return
        }
        do throws(AppRegistration.Malformed) {
            explanation = Self.explanation(try AppRegistration(infoPlist: bytes), clientID: clientID)
        } catch .notPropertyList, .notDictionary {
            return nil
        } catch {
            explanation = Explanation(
                .infoPlist, "A property list, but not an application's Info.plist.",
                findings: [CheckFinding(named: "plist-not-of-an-application", error.reason)])
        }
    }

    private static func explanation(_ listed: AppRegistration, clientID: String) -> Explanation {
        var registration = listed
        registration.urlSchemes = listed.urlSchemes.map { $0.trimmingCharacters(in: .whitespaces) }
        let spaced = zip(listed.urlSchemes, registration.urlSchemes).first { $0 != $1 }.map { scheme, _ in
            CheckFinding(named: "url-scheme-with-blank", scheme)
        }
        let bundle = registration.bundleIdentifier
        let rules = RedirectURIRules(clientID: clientID, registration: registration)
        let missing = rules.missingBrokerQuerySchemes.joined(separator: " and ")
        let source = CheckFinding.sourceFile(registration, nil)
        let uri = source == nil ? RedirectURIRules.defaultURI(bundle) : nil
        let findings = [source].compactMap(\.self) + RedirectURIFindings(uri, rules: rules, isOther: true).all
        let broker =
            missing.isEmpty
            ? CheckFinding(named: "query-schemes-listed")
            : CheckFinding(named: "query-schemes-missing", missing, missing)
        let google = registration.urlSchemes.first { $0.lowercased().hasSuffix(googleSuffix) }.map { scheme in
            CheckFinding(named: "google-scheme", String(scheme.dropLast(googleSuffix.count)))
        }
        return Explanation(
            .infoPlist,
            "The Info.plist of the application \(Privacy.text(bundle, of: "client_id", for: .explanation)).",
            sections: [
                .init(
                    title: "Info.plist",
                    rows: [
                        .init("URL schemes", list(registration.urlSchemes)),
                        .init("Query schemes", list(registration.querySchemes)),
                    ])
            ], findings: ([spaced] + (source == nil ? [google] : [])).compactMap(\.self) + findings + [broker])
    }

    /// The subject of the finding on LSApplicationQueriesSchemes.
    static let queries = "Broker query schemes"

    private static func explanation(_ entitlements: Entitlements) -> Explanation {
        let groups = entitlements.keychainGroups
        let systems = ["com.microsoft.adalcache": "iOS", "com.microsoft.identity.universalstorage": "macOS"]
        let supported = systems.filter { group, _ in groups.contains { $0.hasSuffix(group) } }.map(\.value).sorted()
        let finding =
            supported.isEmpty
            ? CheckFinding(named: "keychain-group-missing")
            : CheckFinding(named: "keychain-group-listed", supported.joined(separator: " and "))
        return Explanation(
            .entitlements, "The entitlements of an application.",
            sections: [
                .init(
                    title: "Entitlements",
                    rows: [
                        .init("Keychain groups", list(groups)), .init("Link domains", list(entitlements.linkedDomains)),
                    ])
            ], findings: [finding])
    }

    private static let googleSuffix = ".apps.googleusercontent.com"

    private static func list(_ schemes: [String]) -> String {
        schemes.isEmpty
            ? "none" : schemes.map { Privacy.text($0, of: "client_id", for: .explanation) }.joined(separator: ", ")
    }
}
