import Foundation
import MSAL
import OAuthCore

/// Values of configurations and markup, by their form: a placeholder has the same one, so that the rules about it still apply.
extension Placeholders {
    mutating func setting(_ text: String) -> String {
        let bare = text.trimmingCharacters(in: .whitespaces)
        guard !bare.isEmpty, bare == text else {
            return bare.isEmpty ? text : text.replacing(bare, with: setting(bare))
        }
        if CopyVocabulary.values.contains(text) || FixedForms.isTime(text) { return text }
        if UUID(uuidString: text) != nil { return identifier(text) }
        if text.contains("://") { return url(text) }
        if text.hasPrefix("/") {
            let rest = String(text.dropFirst())
            return Data(base64Encoded: rest)?.count == Self.sha1Length ? "/" + signature(rest) : url(text)
        }
        if let scheme = scheme(text) ?? expansion(text) ?? clientOfGoogle(text) ?? keychainGroup(text) { return scheme }
        if Self.isPublic(host: text.lowercased()) { return host(text.lowercased()) }
        if text.lowercased().contains("your") || text.contains(where: { "<>[]{}".contains($0) }) {
            return hide(text, as: "value") { "[your-\($0)]" }
        }
        // A bundle identifier, which has the form of a host.
        if text.wholeMatch(of: #/[A-Za-z][\w\-]*(?:\.[\w\-]+){2,}/#) != nil {
            return hide(text, as: "bundle") { "com.example.\($0)" }
        }
        return hide(text, as: "value")
    }

    /// `msauth.BUNDLE` or `msalCLIENT`.
    private mutating func scheme(_ text: String) -> String? {
        for prefix in ["msauth.", "msal"] where text.hasPrefix(prefix) && text.count > prefix.count {
            let rest = String(text.dropFirst(prefix.count))
            if prefix == "msauth." || UUID(uuidString: rest) != nil { return prefix + setting(rest) }
        }
        return nil
    }

    /// A build setting before something else.
    private mutating func expansion(_ text: String) -> String? {
        let known = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)", "$(PRODUCT_BUNDLE_IDENTIFIER)"]
        guard let prefix = known.first(where: text.hasPrefix), text.count > prefix.count else { return nil }
        return prefix + setting(String(text.dropFirst(prefix.count)))
    }

    private mutating func clientOfGoogle(_ text: String) -> String? {
        let (suffix, prefix) = (".apps.googleusercontent.com", "com.googleusercontent.apps.")
        if text.hasSuffix(suffix) { return hide(String(text.dropLast(suffix.count)), as: "client") + suffix }
        if text.hasPrefix(prefix) { return prefix + hide(String(text.dropFirst(prefix.count)), as: "client") }
        return nil
    }

    /// The hash of the certificate that signs an application for Android, as in `msauth://PACKAGE/HASH`.
    mutating func signature(_ text: String) -> String {
        let decoded = text.removingPercentEncoding ?? text
        guard let length = Data(base64Encoded: decoded)?.count, length == Self.sha1Length else {
            return hide(text, as: "signature") { decoded.contains("=") ? "\($0)\(decoded == text ? "=" : "%3D")" : $0 }
        }
        let isEncoded = decoded != text || !text.contains("=")
        return hide(decoded, as: "signature") { name in
            Data((name + String(repeating: "~", count: length)).utf8.prefix(length)).base64EncodedString()
        }.replacing("=", with: isEncoded ? "%3D" : "=")
    }

    private static let sha1Length = 20

    private mutating func keychainGroup(_ text: String) -> String? {
        ["com.microsoft.adalcache", "com.microsoft.identity.universalstorage"].first { text.hasSuffix("." + $0) }.map {
            hide(String(text.dropLast($0.count + 1)), as: "team") + "." + $0
        }
    }
}
