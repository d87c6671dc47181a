import Foundation
import OAuthCore
import Testing

@testable import Subcommands

@Suite("Rules of a gate")
struct GateTests {
    @Test(
        "Rejects paths that servers read in several ways",
        arguments: [
            "", "a", "/a/../b", "/..", "/a/.", "/%2e%2e/b", "/a/%2E./b", "/a/..%2fb", "/%252e%252e/b", "/a/..;x=1/b",
            "/a\\b", "/a/%5c", "/a/%00", "/a/%0d%0a", "/%", "/%4", "/%zz", "/a#b", "/%25252525252e",
            "/a/%c0%ae%c0%ae/b", "/a/%e0%80%ae./b", "/a/%f0%80%80%ae/b", "/a/..%20/b", "/a/%20../b", "/a/.%c2%a0./b",
            "/a/...",
            "/a/..%e2%80%8b/b", "/a/%ef%bc%8e%ef%bc%8e/b", "/a/%e2%80%a5/b", "/a%ef%bc%8fb", "/a/..%3f/b", "/a/..%23/b",
            "/a/%25u002e/b", "/a/..%2500/b",
        ])
    func ambiguous(path: String) {
        #expect(throws: GateTarget.Malformed.self) { try GateTarget(path) }
    }

    @Test(
        "Allows a path only if each of its spellings is allowed",
        arguments: [
            ("GET", "/mail/1", true), ("HEAD", "/mail/1", true), ("GET", "/mail/", true), ("GET", "/mail/a%2Fb", true),
            ("GET", "/mail//1", true), ("GET", "/mail/..a", true), ("GET", "/mail/%25", true),
            ("GET", "/mail/caf%c3%a9", true), ("GET", "/mail/a%20b.", true),
            ("GET", "/mail/Report%e2%80%a6.pdf", true), ("PROPFIND", "/dav/a", true), ("PROPFIND", "/mail/1", false),
            ("GET", "/mail/1?a=/../b", true),
            ("GET", "/mail", false), ("POST", "/mail/1", false), ("GET", "/mailbox/1", false),
            ("GET", "//mail/1", false),
            ("GET", "/%6dail/1", false), ("POST", "/send", true), ("POST", "/send/", false), ("GET", "/send", false),
            ("PUT", "/any/1", true), ("GET", "/", false),
        ])
    func spellings(method: String, target: String, isAllowed: Bool) throws {
        let rules = ["GET /mail/*", "POST /send", "* /any/*", "PROPFIND /dav/*"].compactMap(GateRule.init)
        #expect(try GateTarget(target).isAllowed(method, by: rules) == isAllowed)
        #expect(try GateTarget(target).isAllowed(method, by: []))
    }

    @Test(
        "Rejects rules that promise what they can't keep",
        arguments: [
            "", "GET", "/mail/*", "get /mail", "GET mail", "GET /a*b", "GET /a/../b", "GET /a?b", "GET /a b",
            "GET /%61", "GET /**", "TRACE /a", "CONNECT /a",
        ])
    func rules(text: String) { #expect(GateRule(text) == nil) }

    @Test("Asks for the first segment of a path")
    func places() throws {
        #expect(try GateTarget("/mail/1?x").place == "/mail/*")
        #expect(try GateTarget("/mail").place == "/mail")
        #expect(try GateTarget("/").place == "/")
        #expect(try GateTarget("//mail/1").place == "//mail/*")
    }

    @Test(
        "A redirect to the origin stays within the gate; one to elsewhere names its place, because the gate isn't asked",
        arguments: [
            ("https://api.example/v1/me?a=b#c", "/s/me?a=b#c"), ("/v1/me", "/s/me"), ("/v1", "/s/"), ("me", "me"),
            ("../me", "../me"),
            ("https://other.example/v1/me", "https://other.example/v1/me"),
            ("//other.example/v1", "https://other.example/v1"),
            ("http://api.example/v1/me", "http://api.example/v1/me"), ("/v10/me", "https://api.example/v10/me"),
            ("/login?a=b#c", "https://api.example/login?a=b#c"),
        ])
    func redirects(location: String, expected: String) throws {
        let origin = try #require(URL(string: "https://api.example/v1/"))
        let head = HTTPResponse(
            status: 302, headers: ["Location": location, "Set-Cookie": "a=b", "Connection": "x-a", "X-A": "1"])
        let headers = GateHeaders.response(head, from: origin, at: "/s")
        #expect(headers["Location"] == expected)
        #expect(headers.fields.count == 1)
    }

    @Test("Fields that change the method, path or origin don't pass, in any spelling")
    func fields() {
        let headers: HTTPHeaders = [
            "X_Original_URL": "/admin", "x-original-method": "DELETE", "X-HTTP-METHOD": "DELETE",
            "X_Forwarded_Prefix": "/a",
            "Forwarded": "host=a", "Proxy_Authorization": "Basic", "COOKIE": "a=b", "Content_Length": "5",
            "X-Override-URL": "/a", "X-URL-Override": "/a", "Impersonate-User": "root", "X_Impersonate": "root",
            "X-Remote-User": "root", "Sudo": "root", "Destination": "/a", "X-Mine": "1",
        ]
        #expect(GateHeaders.request(headers).fields.map(\.name) == ["X-Mine"])
    }

    @Test("Bytes of a value that aren't UTF-8 stay, and a coding counts more than a length")
    func bytes() throws {
        var headers = HTTPHeaders()
        headers.append(HTTPHeaders.Field(name: "X-A", bytes: [0x63, 0xE9]))
        headers.append("X-B", "é")
        #expect(GateHeaders.request(headers).fields.map(\.wireValue) == [[0x63, 0xE9], [0xC3, 0xA9]])
        let head = HTTPResponse(status: 200, headers: ["Transfer-Encoding": "chunked", "Content-Length": "5"])
        let origin = try #require(URL(string: "https://api.example/"))
        #expect(GateHeaders.response(head, from: origin, at: "/s").fields.isEmpty)
    }

    @Test("A proxy doesn't get what is meant for this computer")
    func proxies() {
        #expect(
            Door.withoutProxy(["no_proxy": "a.example"]) == [
                "NO_PROXY": "a.example,127.0.0.1", "no_proxy": "a.example,127.0.0.1",
            ])
        #expect(Door.withoutProxy([:])["NO_PROXY"] == "127.0.0.1")
        #expect(Door.withoutProxy(["NO_PROXY": "*"])["no_proxy"] == "*")
    }

    @Test("Fields of responses that would give other programs or pages a share of the session don't pass")
    func returnedFields() throws {
        let head = HTTPResponse(
            status: 200,
            headers: [
                "Set-Cookie": "a=b", "set-cookie2": "a=b", "WWW-Authenticate": "Basic", "Alt-Svc": "h3",
                "Access-Control-Allow-Origin": "*", "access_control_allow_credentials": "true", "ETag": "1",
            ])
        let headers = GateHeaders.response(head, from: try #require(URL(string: "https://api.example")), at: "/s")
        #expect(headers.fields.map(\.name) == ["ETag"])
    }
}

@Suite("Answers at a gate")
struct GateEntryTests {
    @Test(
        "Only the number is a yes, with three attempts",
        arguments: [
            ("4821\n", GateEntry.Verdict.allowed), (" 4821 \n", .allowed), ("y\n4821\n", .allowed), ("n\n", .denied),
            ("NO\n", .denied), ("y", nil), ("4821", nil), ("yes\n0000\n48211\n", .denied), ("\n\n\n", .denied),
            ("\u{1B}[A4821\n", .unclear),
        ])
    func answers(typed: String, verdict: GateEntry.Verdict?) {
        var entry = GateEntry(number: "4821")
        var last: GateEntry.Verdict?
        for byte in typed.utf8 { last = entry.take(byte) ?? last }
        #expect(last == verdict)
    }

    @Test("A question names the request and what a yes covers, and a mark that no URL contains says how much is cut")
    func rows() {
        func rows(_ columns: Int, _ method: String, _ places: String..., request: String) -> [String] {
            OpenQuestion.rows(GateKind(method: method, places: places), request, "4821", columns: columns)
        }
        let prompt = "Type 4821 and Enter, or n for no: "
        #expect(
            rows(80, "GET", "/mail/*", request: "GET /mail/1?all=1") == [
                "GET /mail/1?all=1 waits.", "Allow GET /mail/* until the gate closes? \(prompt)",
            ])
        #expect(rows(80, "GET", "/me", request: "GET /me") == ["Allow GET /me until the gate closes? \(prompt)"])
        #expect(
            rows(44, "DELETE", "/repositories/*", request: "DELETE /repositories/production/branches/main?force=true")
                == [
                    "DELETE /repositories/…+25…force=true waits.",
                    "Allow DELETE /repositories/* until the gate", " closes?", prompt,
                ])
    }

    @Test("In any window, method, number and both ends of a path stay, without control characters")
    func anyWindow() {
        let long = "/first\(String(repeating: "b", count: 199))/*"
        for method in ["GET", "PROPPATCH"] {
            for columns in 20...200 {
                for places in [[long], [long, long], ["/\u{1B}[2J"]] {
                    let kind = GateKind(method: method, places: places)
                    let rows = OpenQuestion.rows(kind, "\(method) \(long)?", "4821", columns: columns)
                    #expect(rows.allSatisfy { $0.count < columns } && rows.last?.contains("4821") == true, "\(rows)")
                    let text = rows.suffix(from: 1).joined()
                    #expect(text.contains("Allow \(method) /") && text.contains(" until the gate closes?"), "\(rows)")
                    #expect(
                        !text.contains("\u{1B}")
                            && (places != [long] || text.contains("/first") && text.contains("b/*")))
                }
            }
        }
    }
}
