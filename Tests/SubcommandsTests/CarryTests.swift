import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore
import Testing

@testable import Subcommands

@Suite("Carried tokens")
struct CarryTests {
    private static let mail = "https://mail.example/mcp"

    private static func rules() throws -> [CarryRule] {
        let (mail, files) = (try #require(URL(string: mail)), try #require(URL(string: "https://files.example")))
        return [
            CarryRule(
                host: "build1", profile: "work", scopes: ["User.Read", "https://vault.azure.net/.default"]),
            CarryRule(
                host: "build1", profile: "work", account: "ann@contoso.example", scopes: ["Mail.Read"], question: .use),
            CarryRule(host: "build1", profile: "home", resources: [mail, files], question: .host),
        ]
    }

    /// The request that the query of a target makes.
    private static func request(_ query: String) throws -> CarriedRequest {
        try CarriedRequest(try #require(URL(string: "http://localhost/1/carry?\(query)")))
    }

    @Test(
        "The limits decide by profile, account, scopes and resource",
        arguments: [
            ("", "0"), ("scope=User.Read", "0"), ("scope=user.read", "0"), ("profile=work", "0"), ("scope=openid", "0"),
            ("scope=https://graph.microsoft.com/User.Read", "0"), ("scope=https://vault.azure.net/.default", "0"),
            ("scope=https://vault.azure.net/user_impersonation", "0"), ("scope=offline_access&scope=User.Read", "0"),
            ("scope=Mail.Read", "1"), ("scope=Mail.Read&profile=home", "a token of no resource"),
            ("scope=Mail.Read&account=Ann@contoso.example", "1"),
            ("account=ann@contoso.example", "1"), ("account=bob@contoso.example", "the account bob@contoso.example"),
            ("scope=User.Read&scope=Mail.Send", "the scope Mail.Send"), ("scope=.default", "the scope .default"),
            (
                "scope=https://graph.microsoft.com/.default&profile=work",
                "the scope https://graph.microsoft.com/.default"
            ),
            (
                "scope=https://vault.azure.net.evil.example/.default&profile=work",
                "the scope https://vault.azure.net.evil.example/.default"
            ),
            ("profile=other", "the profile other"), ("profile=Work", "the profile Work"),
            ("resource=https://mail.example/mcp", "2"), ("resource=https://mail.example/mcp/a", "2"),
            ("resource=https://files.example/a?b", "2"), ("profile=home&resource=https://files.example", "2"),
            ("resource=https://mail.example/mcpx", "the resource https://mail.example/mcpx"),
            ("resource=https://mail.example/mcp/../a", "the resource https://mail.example/mcp/../a"),
            ("resource=https://mail.example", "the resource https://mail.example"),
            ("resource=https://files.example:8443/", "the resource https://files.example:8443/"),
            ("resource=https://files.example.evil.example/", "the resource https://files.example.evil.example/"),
            ("profile=work&resource=https://files.example", "the resource https://files.example"),
            ("profile=home", "a token of no resource"),
        ])
    func decision(query: String, outcome: String) throws {
        let rules = try Self.rules()
        switch CarryDecision.decide(try Self.request(query), by: rules) {
        case .allowed(let rule): #expect(rules.firstIndex(of: rule).map(String.init) == outcome)
        case .rejected(let reason): #expect(reason == outcome)
        }
        #expect(CarryDecision.decide(try Self.request(query), by: []) == .rejected("any token"))
    }

    @Test(
        "Another request is invalid",
        arguments: [
            "profile=", "profile", "profile=a&profile=b", "scope=", "scope=a%20b", "scope=%22", "resource=a",
            "claims=1",
            "resource=http://mail.example", "resource=https://a@b.example", "validity=0", "validity=86401",
            "validity=a",
            "refresh=0", "refresh_token=1", "Scope=a", "profile=\(String(repeating: "a", count: 201))",
            String(repeating: "scope=a&", count: 60) + "scope=a",
        ])
    func invalid(query: String) {
        #expect(throws: CarriedRequest.Invalid.self) { try Self.request(query) }
    }

    @Test("A request of another version is told so", arguments: ["/2/token", "/token", "/", "/1/carry/", "/1/code"])
    func otherVersion(path: String) throws {
        let url = try #require(URL(string: "http://localhost\(path)"))
        let error = #expect(throws: CarriedRequest.Invalid.self) { try CarriedRequest(url) }
        #expect(error?.isOfOtherVersion == true)
    }

    @Test("Both sides agree on a request")
    func roundTrip() throws {
        var demand = Demand(
            settings: try Settings(ParsedOptions()), resource: URL(string: "https://a.example/b?c=d&e"),
            scopes: ["a", "https://b/+c"])
        (demand.accountName, demand.claims, demand.minimumValidity) = ("ann+b@c.example", #"{"access_token":{}}"#, 60)
        let sent = try #require(CarriedRequest(demand, after: Rejection(means: .refreshed), of: "a b&c"))
        #expect(sent.isRefresh)
        #expect(try CarriedRequest(try #require(URL(string: "http://localhost\(sent.target)"))) == sent)
        #expect(CarriedRequest(demand, after: Rejection(means: .signedIn), of: "git") == nil)
    }

    @Test(
        "A response has a token, or a reason",
        arguments: [
            (#"{"accessToken":"abc","tokenType":"Bearer","expiresOn":5,"scopes":["a"],"account":"ann"}"#, "Bearer abc"),
            (#"{"accessToken":"a\r\nb","tokenType":"Bearer"}"#, nil),
            (#"{"accessToken":"","tokenType":"Bearer"}"#, nil),
            (#"{"accessToken":"a"}"#, nil), ("{}", nil), ("[]", nil),
        ])
    func response(body: String, header: String?) throws {
        let json = try CarriedTokens.json(Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n\(body)".utf8)).get()
        #expect(MSALResult(carried: json)?.authorizationHeader == header)
    }

    @Test(
        "A failed response has one sentence",
        arguments: [
            ("\r\n\r\n{\"status\":403,\"detail\":\"No.\\u001b[2J\"}", "No."), ("\r\n\r\n{", "has ended"),
            ("", "has ended"),
            ("\r\n\r\n{\"accessToken\":\"a", "has ended"),
        ])
    func failedResponse(text: String, says: String) {
        let failure = #expect(throws: Failure.self) { try CarriedTokens.json(Array(text.utf8)).get() }
        #expect(failure?.reason.contains(says) == true)
        #expect(failure?.reason.contains("\u{1B}") == false)
    }

    /// A carrier whose authority grants these scopes.
    private static func carrier(granting scopes: [String], _ rules: [CarryRule]) throws -> Carrier {
        let json: JSONValue = ["accessToken": "abc", "tokenType": "Bearer", "scopes": JSONValue(scopes)]
        let result = try #require(MSALResult(carried: json))
        return Carrier(
            host: "build1", rules: rules, token: { _, _ in result }, question: nil,
            pages: CarriedPages(host: "build1"), log: { line, _ in #expect(!line.contains("abc")) },
            now: { Date(timeIntervalSince1970: 0) })
    }

    @Test(
        "A token with more scopes than the limits stays here",
        arguments: [
            (["User.Read"], 200),
            (["https://graph.microsoft.com/User.Read", "openid", "email", "offline_access"], 200),
            (["User.Read", "Mail.Send"], 403), (["https://vault.azure.net/user_impersonation"], 200),
        ])
    func granted(scopes: [String], status: Int) async throws {
        let url = try #require(URL(string: "http://localhost/1/carry?scope=User.Read"))
        let response = try await Self.carrier(granting: scopes, Self.rules()).response(to: url)
        #expect(response.status == status)
        #expect(response.text.contains("abc") == (status == 200))
    }

    @Test("Without a terminal, a question is a no")
    func question() async throws {
        let url = try #require(URL(string: "http://localhost/1/carry?resource=https://files.example/"))
        let carrier = try Self.carrier(granting: [], Self.rules())
        #expect(await carrier.response(to: url).status == 403)
    }

    @Test(
        "Options narrow the limits of the configuration, and take no question away",
        arguments: [
            (CarryRule(host: "ann@build1"), ["work - - a", "work ann use b", "home - - c"]),
            (CarryRule(host: "build1", profile: "home"), ["home - - c"]),
            (CarryRule(host: "build1", profile: "work", account: "ann"), ["work ann - a", "work ann use b"]),
            (CarryRule(host: "build1", account: "bob"), ["work bob - a", "home bob - c"]),
            (CarryRule(host: "build1", question: .host), ["work - host a", "work ann host b", "home - host c"]),
            (CarryRule(host: "build1", account: "bob", scopes: ["d"]), ["work bob use d", "home bob - "]),
            (CarryRule(host: "build1", profile: "work", scopes: ["d"], question: .host), ["work - host d"]),
            (CarryRule(host: "build2"), ["work - use d"]), (CarryRule(host: "build1.example"), []),
        ] as [(CarryRule, [String])])
    func narrowed(named: CarryRule, left: [String]) {
        let configured = [
            CarryRule(host: "build1", scopes: ["a"]),
            CarryRule(host: "build1", profile: "work", account: "Ann", scopes: ["b"], question: .use),
            CarryRule(host: "build1", profile: "home", scopes: ["c"], opensSignIns: true),
            CarryRule(host: "build2", scopes: ["d"], question: .use),
        ]
        let rules = CarryRule.rules(configured, named, usual: "work").compactMap {
            $0.narrowed(to: named.account.map { [$0] } ?? [])
        }
        let lines = rules.map { rule in
            [rule.profile, rule.account?.lowercased(), rule.question?.rawValue].map { $0 ?? "-" }.joined(separator: " ")
                + " \(rule.scopes.joined())"
        }
        #expect(lines == left)
    }

    @Test(
        "ssh's options that reach the server are told from its command",
        arguments: [
            (["build1"], ["build1"]), (["ann@build1", "-p", "22", "-t", "ls", "-l"], ["ann@build1"]),
            (["build1", "-4tCp22", "-oA=b", "--", "-i", "x"], ["build1"]),
        ])
    func sshWords(words: [String], host: [String]) throws {
        #expect(try SSHConnection(words, in: [:]).host == host[0])
        #expect(try SSHConnection(words, in: [:]).session.suffix(words.count) == words[...])
    }

    @Test(
        "Options without a session are rejected",
        arguments: [["a", "-f"], ["a", "-tM"], ["a", "-S", "b"], ["-oA"], []])
    func unsuitedWords(words: [String]) {
        #expect(throws: UsageError.self) { try SSHConnection(words, in: [:]) }
    }

    private static let state = String(repeating: "s", count: 43)

    /// A page at this address, with parameters that replace the usual ones.
    private static func page(_ address: String, _ changes: [String: String?] = [:]) throws -> [String: String] {
        var query: [String: String?] = [
            "client_id": "app", "redirect_uri": "http://localhost:4000/a", "state": state, "response_type": "code",
        ]
        query.merge(changes) { $1 }
        var components = try #require(URLComponents(string: address))
        components.queryItems = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        return [
            "page": try #require(components.string), "redirect": "http://localhost:4000/a", "state": state,
        ]
    }

    @Test(
        "A page opens, is asked about or is rejected by its authority and client",
        arguments: [
            ("https://login.example/authorize", "app", CarriedPage.Decision.opens),
            ("https://LOGIN.example:443/authorize", "app", .opens),
            ("https://login.example/authorize", "another", .questions),
            ("https://login.example:8443/authorize", "app", .questions),
            ("https://login.example.evil.example/authorize", "app", .questions),
            ("https://idle.example/authorize", "app", .questions),
            ("http://127.0.0.1:8000/authorize", "app", .opens), ("http://127.0.0.1:8001/authorize", "app", .rejected),
            ("http://localhost:8000/authorize", "app", .rejected),
        ])
    func pageDecision(address: String, client: String, decision: CarriedPage.Decision) throws {
        let profiles = try [
            ("work", "https://login.example/common"), ("demo", "http://127.0.0.1:8000/contoso"),
            ("idle", "https://idle.example"),
        ].map { Profile(name: $0, clientID: "app", authority: try #require(URL(string: $1))) }
        let page = try #require(CarriedPage(try Self.page(address, ["client_id": client])))
        #expect(page.decision(profiles, unasked: ["work", "demo"]) == decision)
        let asked = decision == .rejected ? CarriedPage.Decision.rejected : .questions
        #expect(page.decision(profiles, unasked: []) == asked)
    }

    @Test("A pushed request names its redirect URI and state beside the page, and both sides agree on it")
    func pushedPage() throws {
        let pushed = ["redirect_uri": nil, "state": nil, "request_uri": "urn:a+b&c"] as [String: String?]
        let parts = try Self.page("https://login.example/authorize", pushed)
        var request = CarriedRequest()
        (request.page, request.program) = (CarriedPage(parts), "keyturn")
        #expect(request.page != nil)
        #expect(try CarriedRequest(try #require(URL(string: "http://localhost\(request.target)"))) == request)
        #expect(CarriedPage(try Self.page("https://login.example", ["redirect_uri": nil])) == nil)
        #expect(CarriedPage(try Self.page("https://login.example", pushed.filter { $0.key != "state" })) == nil)
    }

    @Test("Without a terminal, three pages in an hour open if the configuration allows it, and others never")
    func pagesWithoutTerminal() async throws {
        let address = "https://login.example/authorize"
        let page = try #require(CarriedPage(try Self.page(address)))
        let response = try #require(URL(string: "http://localhost:4000/a?code=a"))
        var pages = CarriedPages(host: "build1")
        pages.open = { _ in response }
        let start = Date(timeIntervalSince1970: 0)
        await #expect(throws: DoorProblem.self) { try await pages.response(to: page, at: start) }
        pages.profiles = [Profile(name: "work", clientID: "app", authority: try #require(URL(string: address)))]
        pages.unasked = ["work"]
        for _ in 0..<3 { #expect(try await pages.response(to: page, at: start) == response) }
        let problem = await #expect(throws: DoorProblem.self) { try await pages.response(to: page, at: start) }
        #expect(problem?.status == 403)
        #expect(try await pages.response(to: page, at: start + 3601) == response)
    }

    @Test("A flood of rejections is counted in the log, and doesn't hide what was sent")
    func flood() {
        var flood = RejectionFlood()
        let start = Date(timeIntervalSince1970: 1000)
        let most = RejectionFlood.mostInMinute
        let logged = (0..<most + 40).filter { _ in flood.note(isRejected: true, at: start).isLogged }
        #expect(logged.count == most)
        let sent = flood.note(isRejected: false, at: start)
        #expect(sent.isLogged && sent.unlogged == 40)
        #expect(flood.note(isRejected: true, at: start).isLogged == false)
        let later = flood.note(isRejected: true, at: start + 61)
        #expect(later.isLogged && later.unlogged == 1)
    }

    @Test("A socket that never answers is late, and one without a program is nobody's")
    func silentSocket() async throws {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let path = "\(folder.path)/silent"
        func response() async throws(LocalStream.Failure) -> [UInt8] {
            try await LocalStream.exchange("a", at: path, atMost: 1, seconds: 1)
        }
        await #expect(throws: LocalStream.Failure.nobody) { try await response() }
        #expect(LocalStream.isAbandoned(path))
        // It listens, and serves nobody yet.
        let server = try DoorOptions.server(
            port: 0, socket: path, Carrier.limits, try Self.carrier(granting: [], []))
        await #expect(throws: LocalStream.Failure.late) { try await response() }
        #expect(!LocalStream.isAbandoned(path))
        server.stop()
    }
}
