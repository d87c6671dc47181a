import Foundation
import OAuthCore
import Testing

@Suite("Choice of a proxy")
struct ProxyChoiceTests {
    @Test(
        "The first variable that isn't empty, as with curl",
        arguments: [
            (["https_proxy": "a:1", "HTTPS_PROXY": "b:1"], "https_proxy"),
            (["https_proxy": "", "HTTPS_PROXY": "b:1", "ALL_PROXY": "c:1"], "HTTPS_PROXY"),
            (["ALL_PROXY": "c:1"], "ALL_PROXY"), (["all_proxy": "c:1", "http_proxy": "d:1"], "all_proxy"),
            (["http_proxy": "d:1", "HTTP_PROXY": "d:1", "https_proxy": ""], nil),
        ] as [([String: String], String?)])
    func variable(environment: [String: String], name: String?) {
        #expect(ProxyChoice(in: environment)?.variable == name)
    }

    @Test(
        "Entries of NO_PROXY and the servers that they except",
        arguments: [
            (
                "api.example", ["https://api.example", "https://a.API.example:8443", "https://api.example./"],
                ["https://xapi.example"]
            ),
            (".api.example", ["https://a.api.example", "https://api.example"], []),
            (
                "*.api.example", ["https://a.api.example", "https://b.a.api.example"],
                ["https://api.example", "https://xapi.example"]
            ),
            ("api.example:443", ["https://api.example"], ["https://api.example:8443"]),
            ("*.api.example:8443", ["https://a.api.example:8443"], ["https://a.api.example"]),
            ("*", ["https://api.example", "https://10.0.0.1"], []),
            ("x, a.example\tb.example", ["https://a.example", "https://b.example"], ["https://c.example"]),
            ("10.0.0.0/8", ["https://10.1.2.3"], ["https://11.1.2.3", "https://10.example"]),
            ("2001:db8::/32", ["https://[2001:db8:1::1]"], ["https://[2001:db9::1]"]),
            ("[2001:db8::1]:443", ["https://[2001:db8::1]"], ["https://[2001:db8::1]:444"]),
            ("2001:db8::1", ["https://[2001:db8::1]"], []),
            ("", [], ["https://api.example"]), (",.,*.,/", [], ["https://api.example"]),
        ])
    func exceptions(list: String, excepted: [String], served: [String]) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            let proxy = try #require(ProxyChoice(in: ["https_proxy": "p:1", name: list]))
            for text in excepted { #expect(!proxy.serves(try #require(URL(string: text))), "\(text)") }
            for text in served { #expect(proxy.serves(try #require(URL(string: text))), "\(text)") }
        }
    }

    @Test func noProxyServesThisComputer() throws {
        let proxy = try #require(ProxyChoice(in: ["https_proxy": "p:1"]))
        #expect(!proxy.serves(try #require(URL(string: "https://localhost:1"))))
    }

    @Test(
        "Its address is shown without its password",
        arguments: [
            ("http://user:PLANTED@p.example:1", "p.example:1"), ("p.example", "p.example"), ("http://", "its URL"),
            ("http:/user:PLANTED@p.example:1", "p.example:1"), ("https:///p.example", "p.example"),
            ("p.example:1", "p.example:1"), ("other:/PLANTED@p.example:1", "p.example:1"),
        ])
    func shown(address: String, text: String) throws {
        #expect(try #require(ProxyChoice(in: ["https_proxy": address])).shown == text)
    }
}
