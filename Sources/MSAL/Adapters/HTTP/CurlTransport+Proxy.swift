import Foundation
import OAuthCore

extension CurlTransport {
    struct Report {
        /// The `CURLcode`.
        var code: Int32
        var message: String
        /// The status of the proxy's response to CONNECT; 0 for none.
        var connectStatus: Int
        var needsTicket = false
    }

    /// The failure, if the proxy is at fault: it doesn't respond as a proxy does, or doesn't connect to the server.
    static func failure(of proxy: ProxyChoice, _ report: Report, server: String) -> TransportFailure? {
        // libcurl quotes an address that it can't read, with its password.
        let isQuoted = proxy.address.contains("@") && report.message.contains(proxy.address)
        let isReadable = !report.message.contains("Unsupported proxy") && !isQuoted
        let reason: String? =
            switch isReadable ? proxy.url?.lowercasedScheme : nil {
            case nil: "$\(proxy.variable) isn't a valid URL."
            case "http": self.reason(of: proxy, report, server, hasTLS: false)
            case "https": self.reason(of: proxy, report, server, hasTLS: true)
            // A SOCKS proxy has no status.
            default:
                [5, 7, 97].contains(report.code) || report.message.lowercased().contains("proxy") ? report.message : nil
            }
        return reason.map { TransportFailure(.proxy(variable: proxy.variable), reason: $0) }
    }

    private static func reason(of proxy: ProxyChoice, _ report: Report, _ server: String, hasTLS: Bool) -> String? {
        switch (report.code, report.connectStatus) {
        case (5, _), (7, _): report.message
        case (_, 407) where report.needsTicket:
            "\(proxy.shown) accepts only Negotiate or NTLM (the sign-in of a Windows domain), and Keyturn sends only a username "
                + "and password. Run a proxy on this computer that signs in there, such as px or cntlm, and set "
                + "$\(proxy.variable) to its URL."
        case (_, 407):
            "\(proxy.shown) \(proxy.url?.user() == nil ? "requires a" : "rejects the") username and password: "
                + report.message
        case (_, 200..<300):
            report.code == 35 && saysPlainHTTP(report.message)
                ? "\(proxy.shown) responds with a page of its own instead of connecting to \(server). "
                    + "It may be a web server, or require a sign-in in the browser." : nil
        case (_, 1...): "\(proxy.shown) doesn't connect to \(server): \(report.message)"
        case (60, _) where hasTLS: "The certificate of \(proxy.shown) isn't trusted: \(report.message)"
        case _ where hasTLS: "\(proxy.shown) doesn't respond with TLS. Start its URL with http:// instead of https://."
        case (28, _): "\(proxy.shown) doesn't respond."
        case (1, _), (8, _), (52, _), (56, _):
            "\(proxy.shown) doesn't respond as a proxy. If it expects TLS, start its URL with https://."
        default: nil
        }
    }

    /// The messages of OpenSSL and GnuTLS about a server that responds to TLS in plain text.
    static func saysPlainHTTP(_ said: String) -> Bool {
        ["wrong version number", "packet length too long", "unexpected TLS packet", "http request"]
            .contains { said.range(of: $0, options: .caseInsensitive) != nil }
    }
}
