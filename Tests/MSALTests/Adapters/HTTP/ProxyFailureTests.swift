import OAuthCore
import Testing

@testable import MSAL

@Suite("Failures of a proxy")
struct ProxyFailureTests {
    @Test(
        "What libcurl reports, and what it means",
        arguments: [
            (
                "https://p:1", 28, 0, "SSL connection timeout",
                "p:1 doesn't respond with TLS. Start its URL with http://"
            ),
            ("https://p:1", 35, 0, "wrong version number", "p:1 doesn't respond with TLS."),
            ("https://p:1", 60, 0, "self-signed certificate", "The certificate of p:1 isn't trusted"),
            ("http://p:1", 28, 0, "Operation timed out", "p:1 doesn't respond."),
            ("p:1", 52, 0, "Empty reply from server", "p:1 doesn't respond as a proxy."),
            ("p:1", 56, 407, "CONNECT tunnel failed, response 407", "p:1 requires a username and password"),
            ("p:1", 56, 403, "CONNECT tunnel failed, response 403", "p:1 doesn't connect to api.example"),
            ("p:1", 35, 200, "wrong version number", "p:1 responds with a page of its own"),
            ("p:1", 7, 0, "Failed to connect to p port 1", "Failed to connect to p port 1"),
            ("http://", 5, 0, "Unsupported proxy syntax", "$ALL_PROXY isn't a valid URL."),
            // With a password.
            (
                "http://u:a b@p:1", 5, 0, "Unsupported proxy syntax in 'http://u:a b@p:1'",
                "$ALL_PROXY isn't a valid URL."
            ),
            (
                "ftp://u:a b@p:1", 7, 0, "Unsupported proxy scheme for 'ftp://u:a b@p:1'",
                "$ALL_PROXY isn't a valid URL."
            ),
            ("http://u:a@p:1", 7, 0, "Can't use http://u:a@p:1", "$ALL_PROXY isn't a valid URL."),
            ("http://u:a@p:1", 56, 407, "CONNECT tunnel failed, response 407", "p:1 rejects the username and password"),
            ("socks5://p:1", 97, 0, "cannot complete SOCKS5 connection", "cannot complete SOCKS5 connection"),
            // Not the proxy's.
            ("p:1", 60, 200, "self-signed certificate", nil), ("p:1", 28, 200, "timed out", nil),
            ("socks5://p:1", 28, 0, "SSL connection timeout", nil), ("https://p:1", 35, 200, "handshake failure", nil),
        ] as [(String, Int32, Int, String, String?)])
    func reason(address: String, code: Int32, status: Int, message: String, reason: String?) throws {
        let proxy = try #require(ProxyChoice(in: ["ALL_PROXY": address]))
        let failure = CurlTransport.failure(
            of: proxy, .init(code: code, message: message, connectStatus: status), server: "api.example")
        #expect(failure.map { $0.reason.hasPrefix(reason ?? "-") } == reason.map { _ in true })
        if status == 407 {
            var report = CurlTransport.Report(code: code, message: message, connectStatus: status)
            report.needsTicket = true
            let reason = CurlTransport.failure(of: proxy, report, server: "api.example")?.reason
            #expect(reason?.hasPrefix("p:1 accepts only Negotiate or NTLM") == true)
        }
        if let failure {
            #expect(failure.kind == .proxy(variable: "ALL_PROXY"))
            #expect(failure.nextStep.contains("($ALL_PROXY)"))
        }
    }
}
