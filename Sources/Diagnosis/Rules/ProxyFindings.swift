import Foundation

/// Whether requests to an authority use a proxy, by the variables that curl reads (curl(1), "ENVIRONMENT").
package struct ProxyFindings: Sendable, Equatable {
    package var environment: [String: String]
    package var authority: URL

    package init(environment: [String: String], authority: URL) {
        self.environment = environment
        self.authority = authority
    }

    package var all: [CheckFinding] { [finding] }

    private var finding: CheckFinding {
        guard let (name, value) = variable else { return CheckFinding("Proxy", .passed, "None.") }
        if isExempt {
            return CheckFinding(
                "Proxy", .passed, "$\(name) is set, but no_proxy excludes \(authority.host ?? "the host").")
        }
        // curl assumes http for a URL without a scheme.
        guard let url = URL(string: value.contains("://") ? value : "http://\(value)"), let host = url.host,
            !host.isEmpty
        else {
            return CheckFinding(
                "Proxy", .failed, "$\(name) isn't a valid URL.",
                fix: "Set it to http://HOST:PORT, or unset it.")
        }
        let port = url.port.map { ":\($0)" } ?? ""
        let credentials = url.user == nil ? "" : " with its own credentials"
        return CheckFinding("Proxy", .passed, "Requests use \(host)\(port) from $\(name)\(credentials).")
    }

    /// The first variable that curl uses. curl ignores `HTTP_PROXY`, because CGI servers set it from the network.
    private var variable: (name: String, value: String)? {
        let names =
            authority.scheme == "http"
            ? ["http_proxy", "all_proxy", "ALL_PROXY"] : ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name, $0) }
        }.first
    }

    private var isExempt: Bool {
        let host = (authority.host ?? "").lowercased()
        let list = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
        return list.split(whereSeparator: { ", ".contains($0) }).contains { entry in
            let name = entry.hasPrefix(".") ? entry.dropFirst() : entry
            return entry == "*" || host == name || host.hasSuffix(".\(name)")
        }
    }
}
