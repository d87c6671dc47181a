import Foundation
import OAuthCore

extension CheckFinding {
    /// Whether requests to an authority use a proxy.
    package static func proxy(in environment: [String: String], for authority: URL) -> CheckFinding {
        guard let proxy = ProxyChoice(in: environment), !authority.isLoopback else {
            return CheckFinding("Proxy", .passed, "None.")
        }
        guard proxy.serves(authority) else {
            return CheckFinding(
                "Proxy", .passed, "$\(proxy.variable) is set, but no_proxy excludes \(authority.host ?? "the host").")
        }
        guard let url = proxy.url else {
            return CheckFinding(
                "Proxy", .failed, "$\(proxy.variable) isn't a valid URL.",
                fix: "Set it to http://HOST:PORT, or unset it.")
        }
        let credentials = url.user == nil ? "" : " with its own credentials"
        return CheckFinding("Proxy", .passed, "Requests use \(proxy.shown) from $\(proxy.variable)\(credentials).")
    }
}
