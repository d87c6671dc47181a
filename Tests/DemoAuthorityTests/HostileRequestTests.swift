import Foundation
import OAuthCore
import Testing

@testable import DemoAuthority

@Suite("Malformed requests")
struct HostileRequestTests {
    @Test(
        "Unknown paths",
        arguments: [
            "/nothing", "/common", "/common/oauth2/v2.0", "/common/oauth2/v2.0/authorize/more", "//", "/../etc/passwd",
            "/%2e%2e/%2e%2e", "/common/oauth2/token", "/favicon.ico", "/common//oauth2/v2.0/token",
            "/tfp", "/tfp/woodgrove", "/tfp/woodgrove/b2c_1_signin", "/a/b/c/oauth2/v2.0/token", "/oidc",
            "/tfp//b/login",
        ])
    func paths(path: String) throws {
        let response = try Bench().get(path)
        #expect(response.status == 404)
        #expect(PageReader(response.text).title == "Page not found")
    }

    @Test(
        "Wrong methods get the allowed ones",
        arguments: [
            (HTTPRequest.Method.get, "/common/oauth2/v2.0/token", "POST"),
            (.get, "/common/login", "POST"),
            (.delete, "/common/oauth2/v2.0/authorize", "GET, HEAD, POST"),
            (.post, "/common/discovery/v2.0/keys", "GET, HEAD"),
            (.options, "/common/oauth2/v2.0/token", "POST"),
        ])
    func methods(method: HTTPRequest.Method, path: String, allowed: String) throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(method, try bench.url(path)))
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == allowed)
        #expect(response.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test("Oversized URLs and bodies")
    func size() throws {
        let bench = try Bench()
        let address = try bench.authorizeURL(["state": String(repeating: "s", count: 17_000)])
        #expect(bench.send(HTTPRequest(.get, address)).status == 414)
        let body = String(repeating: "b", count: 65_537)
        #expect(try bench.post("/common/oauth2/v2.0/token", ["code": body]).status == 413)
    }

    @Test(
        "A host that only resolves to this computer is rejected",
        arguments: ["evil.example:8400", "127.0.0.1.evil.example"])
    func rebinding(host: String) throws {
        let url = try #require(URL(string: "http://\(host)/common/oauth2/v2.0/authorize"))
        #expect(try Bench().send(HTTPRequest(.get, url)).status == 421)
    }

    @Test("Every name of this computer is served", arguments: ["localhost:8400", "[::1]:8400", "127.0.0.1:8400"])
    func ownNames(host: String) throws {
        let url = try #require(URL(string: "http://\(host)/"))
        #expect(try Bench().send(HTTPRequest(.get, url)).status == 200)
    }

    @Test("HEAD is GET without the body; every response has a date")
    func head() throws {
        let bench = try Bench()
        let response = bench.send(HTTPRequest(.head, try bench.url("/")))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(response.headers["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    }

    @Test("Random bytes for a query, a form and cookies always get a response, never a redirect to another site")
    func noise() throws {
        let bench = try Bench()
        var noise = SplitMix(state: 42)
        let paths =
            ["authorize", "token", "logout", "devicecode"].map { "/common/oauth2/v2.0/\($0)" }
            + ["/common/login", "/common/consent", "/common/verify", "/device", "/oidc/userinfo"]
            + ["/tfp/woodgrove/b2c_1_signin/oauth2/v2.0/token"]
        for round in 0..<300 {
            let bytes = (0..<(Int(noise.next() % 200))).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
            let text = String(decoding: bytes, as: UTF8.self)
            var parameters = Bench.authorizeParameters
            let count = parameters.pairs.count
            parameters[parameters.pairs[Int(noise.next() % UInt64(count))].name] = text
            let query = try bench.get(paths[round % 3], parameters, headers: ["Cookie": text])
            #expect(query.headers["Location"]?.hasPrefix("\(Bench.redirectURI)/") ?? true)
            var request = HTTPRequest.form(
                [:], to: try bench.url(paths[round % paths.count]), headers: ["Cookie": text])
            request.body = bytes
            let form = bench.send(request)
            #expect((200..<500).contains(form.status))
            #expect(form.headers["Location"] == nil)
        }
    }

    /// Steele, Lea and Flood's generator: the same numbers in every run.
    private struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("A directory with hostile names makes harmless pages")
    func hostileNames() async throws {
        var directory = Directory.standard
        let name = "</bdi><script>alert('x')</script>\u{202E}\u{7}"
        directory.users[1].name = name
        directory.users[1].story = name
        directory.clients[0].name = name
        directory.tenants[0].name = name
        directory.resources[0].scopes[0].title = name
        let bench = try Bench(directory: directory)
        for page in [try bench.get("/"), bench.send(HTTPRequest(.get, try bench.authorizeURL(tenant: "contoso")))] {
            #expect(!page.text.contains("<script"))
            #expect(!page.text.contains("\u{7}"))
            #expect(page.text.contains("&lt;script&gt;"))
        }
        let claims = try JWT(parsing: try await bench.signIn(as: "wang@contoso.example").text("id_token")).payload
        #expect(claims["name"] == .string(name))
    }

    @Test("Every error number has an explanation", arguments: AuthorityErrorCode.allCases)
    func explanations(code: AuthorityErrorCode) throws {
        let page = try Bench().get("/error", ["code": "\(code.rawValue)"])
        #expect(page.status == 200)
        #expect(PageReader(page.text).title == "AADSTS\(code.rawValue)")
        let escaped: HTML = "\(code.summary)"
        #expect(page.text.contains(escaped.markup) && code.summary.hasSuffix("."))
        #expect(page.text.contains("<code>\(code.oauthError)</code>"))
    }

    @Test("Every fault changes something, and all code for faults has its row")
    func faults() {
        // A row that can't be read isn't a fault.
        #expect(Fault.allCases.count == 86 && Fault.allCases.allSatisfy { !$0.effects.isEmpty })
        #expect(Set(Fault.coded.keys).isSubset(of: Fault.allCases.map(\.name)))
    }

    @Test("No table grows without limit")
    func capacity() {
        var table = ExpiringTable<Int>(capacity: 8)
        let start = Date(timeIntervalSince1970: 0)
        for number in 0..<1000 {
            table.insert(number, for: "\(number)", until: start + 60 + Double(number), at: start)
            #expect(table.count <= 8)
        }
        #expect(table.value(for: "999", at: start) == 999)
        #expect(table.value(for: "0", at: start) == nil)
        #expect(table.value(for: "999", at: start + 2000) == nil)
    }
}
