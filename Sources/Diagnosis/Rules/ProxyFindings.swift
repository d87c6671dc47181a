import Foundation
import OAuthCore

/// Whether requests to an authority use a proxy.
package struct ProxyFindings: Sendable, Equatable {
    package var environment: [String: String]
    package var authority: URL

    package init(environment: [String: String], authority: URL) {
        self.environment = environment
        self.authority = authority
    }

    package var all: [CheckFinding] { [finding] }

    private var finding: CheckFinding {
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
