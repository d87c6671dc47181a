import Foundation
import MSAL
import OAuthCore

/// Explains the configuration of MSAL for Android (`auth_config.json`): its redirect URI must be written exactly.
struct AndroidConfigurationExplanation {
    let explanation: Explanation

    /// `nil` if the text is another JSON document.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Explainer.maximumLength, let members = (try? JSONValue(parsing: bytes))?.object,
            let client = members["client_id"]?.string, let redirect = members["redirect_uri"]?.string,
            ["authorities", "account_mode", "authorization_user_agent"].contains(where: { members[$0] != nil })
        else { return nil }
        explanation = Explanation(
            .configuration, "A configuration of MSAL for Android.",
            sections: [
                .init(
                    title: "Configuration",
                    rows: [
                        .init("client_id", Privacy.text(client, of: "client_id", for: .explanation)),
                        .init("redirect_uri", Privacy.text(redirect, of: "redirect_uri", for: .explanation)),
                    ])
            ], findings: [Self.finding(redirect)])
    }

    /// `msauth://PACKAGE/HASH`, with the base64 of the signature's SHA-1 percent-encoded.
    private static func finding(_ uri: String) -> CheckFinding {
        let subject = "Redirect URI"
        guard let match = uri.wholeMatch(of: #/msauth:\/\/(?<package>[A-Za-z0-9_.]+)\/(?<hash>.+)/#) else {
            return CheckFinding(
                subject, .failed, "It doesn't have the form msauth://PACKAGE/HASH.",
                fix: "Copy the redirect URI from the Android platform of the registration.")
        }
        let hash = String(match.hash)
        guard !hash.contains(#/[+\/=]/#) else {
            return CheckFinding(
                subject, .failed, "The signature hash isn't percent-encoded, as it must be in this file.",
                fix: "Write %2B for +, %2F for / and %3D for =. AndroidManifest.xml has the hash without encoding.")
        }
        guard let decoded = hash.removingPercentEncoding, Data(base64Encoded: decoded)?.count == sha1Length else {
            return CheckFinding(
                subject, .failed, "The signature hash isn't the base64 of a SHA-1.",
                fix: "Compute it again from the certificate that signs the app.")
        }
        return CheckFinding(subject, .passed, "The form is right. Each signing certificate needs its own.")
    }

    private static let sha1Length = 20
}
