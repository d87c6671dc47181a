import Console
import DemoAuthority
import Foundation
import KeyturnSystem
import MSAL
import MSALTesting
import OAuthCore
import TestSupport
import Testing

@testable import Subcommands

/// Redirects and challenges as values.
@Suite("An API call") struct APICallTests {
    private func call(_ method: HTTPRequest.Method = .get, body: [UInt8] = []) throws -> APICall {
        var call = APICall(
            method, try #require(URL(string: "https://api.example/a")), headers: ["Cookie": "secret"], body: body)
        call.authorization = "Bearer token"
        return call
    }

    private func redirect(_ status: Int, to location: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Location": location])
    }

    @Test(
        "A token goes only to its own origin",
        arguments: [
            ("/b", true), ("https://api.example/b", true), ("https://api.example:444/b", false),
            ("https://other.example/b", false), ("//other.example/b", false),
        ])
    func origin(_ location: String, _ keeps: Bool) throws {
        let next = try #require(try call().following(redirect(302, to: location)))
        #expect((next.request.headers["Authorization"] != nil) == keeps)
        #expect((next.request.headers["Cookie"] != nil) == keeps)
        let back = try #require(try next.following(redirect(302, to: "https://api.example/c")))
        #expect((back.request.headers["Authorization"] != nil) == keeps)
        #expect(
            next.challenge(in: HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer"]))
                == (keeps ? ["Bearer"] : nil))
    }

    @Test(
        "A resource's token stays at the resource and below it",
        arguments: [
            ("/a", true), ("/a/", true), ("/a/b?c", true), ("https://api.example:443/%61/b", true), ("/b", false),
            ("/ab", false), ("/", false), ("/a/../b", false), ("/a/%2e%2e/b", false), ("/a/x%2f..%2f..%2fb", false),
            ("https://api.example/a/%2e%2e/b", false),
            ("https://other.example/a", false),
        ])
    func resource(_ location: String, _ keeps: Bool) throws {
        var call = try call()
        call.resource = URL(string: "https://api.example/a")
        let next = try #require(try call.following(redirect(307, to: location)))
        let back = try #require(try next.following(redirect(307, to: "https://api.example/a")))
        for call in [next, back] {
            #expect((call.request.headers["Authorization"] != nil) == keeps)
            #expect((call.challenge(in: HTTPResponse(status: 401)) != nil) == keeps)
        }
    }

    @Test(
        "Unsafe addresses, endless redirects and data for another origin end the call",
        arguments: [
            (302, "http://api.example/b"), (302, "http://127.0.0.1/b"), (302, "https://169.254.169.254/"),
            (307, "https://other.example/b"), (302, "file:///etc/passwd"),
        ])
    func rejected(_ status: Int, _ location: String) throws {
        let call = try call(.post, body: [1])
        #expect(throws: Failure.self) {
            let isDataSent = status == 307
            _ = try (isDataSent ? call : self.call()).following(redirect(status, to: location))
        }
    }

    @Test(
        "A call follows one challenge, one more that asks for more, and gets two others for a rejected token",
        arguments: [
            (["scope=a"], true, 1), (["scope=a", "error=invalid_token"], true, 2), (["scope=a", "scope=b"], true, 2),
            (["scope=a", "scope=b", "scope=c"], true, 2), (["scope=a", "scope=a"], true, 2),
            (["scope=a", "scope=b"], false, 1), (["error=invalid_token", "error=invalid_token"], false, 2),
            ([" ", " ", " "], false, 2), ([" ", " ", " ", " "], true, 3),
        ])
    func challenges(_ challenges: [String], _ isAnonymous: Bool, _ tokens: Int) async throws {
        let left = Locked(challenges)
        let conversation = APIConversation(first: try call()) { _ in
            let next = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return next.map { HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer \($0)"]) }
                ?? HTTPResponse(status: 200)
        }
        let requested = Locked(0)
        let (_, response) = try await conversation.run { rejection in
            guard rejection != nil else {
                if isAnonymous { throw TokenDesk.NoToken() }
                return TokenDesk.Token(result: try tokenResult("first"))
            }
            let number = requested.withLock { count in
                count += 1
                return count
            }
            return TokenDesk.Token(result: try tokenResult("token \(number)"))
        }
        #expect(requested.withLock(\.self) == tokens)
        #expect((response.status == 200) == (challenges.count <= tokens))
    }

    @Test(
        "The next step after a failed request follows from its response",
        arguments: [
            (429, ["Retry-After": "60"], true, false, "Try again in 60 s."),
            (404, [:], true, true, "The body has the reason."),
            (404, [:], true, false, ""),
            (403, [:], false, true, "If the API needs a token, name an account or a scope."),
            (
                403, [:], true, true,
                "The API rejects the token without a reason. Check the account and its permissions."
            ),
            (
                401, [:], true, true, "The API rejects the token. 'keyturn claims' shows what a token contains."
            ),
            (
                401, ["WWW-Authenticate": "Bearer error=invalid_token"], true, true,
                "The API rejects the token. 'keyturn claims' shows what a token contains."
            ),
        ])
    func nextStep(
        _ status: Int, _ headers: [String: String], _ hasToken: Bool, _ hasBody: Bool, _ nextStep: String
    ) throws {
        var call = try call()
        if !hasToken { call.authorization = nil }
        var response = HTTPResponse(status: status)
        for (name, value) in headers { response.headers[name] = value }
        let failure = APIConversation.failure(response, to: call, hasBody: hasBody)
        #expect(failure?.advice == nextStep)
    }

    @Test("The API's reason for a rejection is shown, without what may be a token, and in one line")
    func reason() throws {
        let token = "Zm9vYmFyLTEyMzQ1Njc4OTAtYWJjZGVmZ2hpamtsbW5vcA"
        let field = "Bearer error=\"invalid_token\", error_description=\"The token \(token)\tis for another API\""
        let response = HTTPResponse(status: 401, headers: ["WWW-Authenticate": field])
        let reason = try #require(APIConversation.failure(response, to: try call(), hasBody: false)).reason
        #expect(reason.hasPrefix("The API responded with HTTP 401: The token "))
        #expect(reason.hasSuffix(" for another API (invalid_token)."))
        #expect(!reason.contains(token))
    }

    @Test(
        "A server's own words are in the error, masked, in whatever member they are",
        arguments: [
            (#"{"error":{"code":7,"message":"Wrong tenant"}}"#, "Wrong tenant"), (#"{"detail":"No seat"}"#, "No seat"),
            (#"{"error":"denied"}"#, "denied"), (#"{"errors":[{"message":"Expired"}]}"#, "Expired"), ("{}", nil),
            ("No\u{1B}[2J way", "No[2J way"), ("<html>", nil), ("", nil),
            (#"{"message":"eyJhbGciOiJub25lIn0.eyJhIjoxfQ.xxxxxxxxxxxxxxxxxxx"}"#, ""),
        ])
    func serversReason(_ body: String, _ shown: String?) {
        let type = body.hasPrefix("<") ? "text/html" : "text/plain"
        let reason = HTTPResponse(status: 401, headers: ["Content-Type": type], body: Array(body.utf8)).serversReason
        #expect(shown == "" ? reason?.contains("eyJhbGciOiJub25lIn0") == false : reason == shown)
    }

    @Test("A 403 that requires scopes is a challenge also without a token") func scopes() throws {
        var call = try call()
        call.authorization = nil
        let field = "Bearer error=insufficient_scope, scope=\"Admin.All\""
        #expect(call.challenge(in: HTTPResponse(status: 403, headers: ["WWW-Authenticate": field])) == [field])
        #expect(call.challenge(in: HTTPResponse(status: 403)) == nil)
        #expect(call.challenge(in: HTTPResponse(status: 401)) == ["Bearer"])
    }

    @Test("A body on a terminal has no control characters, also if they arrive in pieces") func printable() {
        var held: [UInt8] = []
        let pieces = ["a\u{1B}[31mé\t\n\r\u{7F}".utf8.map(\.self), [0xC2], [0x9B, 0x41, 0xC2], [0xA9]]
        let printed = pieces.flatMap { BodyOutput.printable($0, &held) }
        #expect(String(decoding: printed, as: UTF8.self) == "a[31mé\t\nA©")
    }

    @Test("Nor bidirectional marks, however they are divided", arguments: 1...5) func directions(size: Int) {
        let marks =
            "\u{61C}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}"
            + "\u{2066}\u{2067}\u{2068}\u{2069}\u{85}"
        let text = marks.map { "א\($0)€" }.joined() + "‐…⁥ل\u{1F600}"
        var held: [UInt8] = []
        var rest = Array(text.utf8)[...]
        var printed: [UInt8] = []
        while !rest.isEmpty {
            printed += BodyOutput.printable(Array(rest.prefix(size)), &held)
            rest = rest.dropFirst(size)
        }
        let kept = text.unicodeScalars.filter { !marks.unicodeScalars.contains($0) }
        #expect(String(decoding: printed, as: UTF8.self) == String(String.UnicodeScalarView(kept)))
        #expect(held.isEmpty)
    }

    @Test(
        "Nor what bytes that aren't UTF-8 make of them",
        arguments: [
            // What is left of an override, of CSI and of two of them, when the character between is removed.
            ([0x41, 0xE2, 0x80, 0x1B, 0xAE, 0x42], "A\u{FFFD}\u{FFFD}B"),
            ([0xC2, 0x1B, 0x9B, 0x43], "\u{FFFD}\u{FFFD}C"),
            ([0xC2, 0xC2, 0x9B, 0x9B, 0x44], "\u{FFFD}\u{FFFD}D"),
            ([0xE2, 0x80, 0xE2, 0x80, 0xAE, 0xAE, 0x45], "\u{FFFD}\u{FFFD}E"),
            // C1 for a terminal without UTF-8, an overlong line feed, a surrogate.
            ([0x9B, 0x41], "\u{FFFD}A"), ([0xC0, 0x8A, 0x41], "\u{FFFD}\u{FFFD}A"),
            ([0xED, 0xA0, 0x80, 0x41], "\u{FFFD}A"),
        ] as [([UInt8], String)])
    func broken(bytes: [UInt8], shown: String) {
        var held: [UInt8] = []
        #expect(String(decoding: BodyOutput.printable(bytes, &held), as: UTF8.self) == shown)
    }

    @Test("The headers of the last response come before its body, once", arguments: [["a", "b"], []])
    func head(pieces: [String]) throws {
        let options = ParsedOptions(given: [.init(option: ResponseHead.include)])
        let sink = MemorySink()
        let output = BodyOutput(path: nil, standard: sink, head: try ResponseHead(options, body: nil))
        let response = HTTPResponse(status: 200, headers: ["A": "1", "B": ""])
        for piece in pieces { #expect(output.takePiece(Array(piece.utf8), of: response) == .taken) }
        try output.finish(response)
        #expect(sink.text == "HTTP/1.1 200\r\nA: 1\r\nB: \r\n\r\n" + pieces.joined())
        #expect(output.hasBody == !pieces.isEmpty)
    }

    @Test("The body of a rejection, for which a request waits, has a limit of its own")
    func slowRejection() {
        let (output, start) = (BodyOutput(path: nil, standard: MemorySink()), ContinuousClock.now)
        for (seconds, piece) in [(0, CurlTransport.BodyPiece.collected), (60, .collected), (61, .stop)] {
            #expect(output.collectPiece(ofStatus: 401, at: start + .seconds(seconds)) == piece)
        }
    }

    @Test(
        "An existing file is replaced once the body is complete, and stays as it was otherwise",
        arguments: [true, false])
    func replacedFile(isComplete: Bool) throws {
        let folder = try TemporaryFolder(in: ProcessInfo.processInfo.environment)
        defer { folder.remove() }
        let file = folder.path + "/body"
        try "old".write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "body")
        let output = BodyOutput(path: link, standard: MemorySink())
        let response = HTTPResponse(status: 500, headers: [:])
        #expect(output.takePiece(Array("ne".utf8), of: response) == .taken)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        if isComplete {
            #expect(output.takePiece(Array("w".utf8), of: response) == .taken)
            try output.finish(response)
        }
        output.close()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == (isComplete ? "new" : "old"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["body", "link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "body")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test(
        "Header names are tokens of RFC 9110, and not those that say how the request is sent",
        arguments: [
            "authorization : x", " Authorization: x", "Authorization: x", "AUTHORIZATION:x", "A B: x", "Ä: x", ": x",
            "A\u{200B}: x", "A\t: x", "(a): x", "none", "Content-Length: 5", "transfer-encoding: chunked", "Host: a",
            "Connection: close", "Keep-Alive: 1", "Proxy-Connection: a", "TE: trailers", "Trailer: a", "Upgrade: h2c",
            "Expect: 100-continue",
        ])
    func headers(line: String) throws {
        let url = try #require(URL(string: "https://api.example/"))
        let error = #expect(throws: UsageError.self) { try APIRequest(url, method: nil, headers: [line], data: nil) }
        guard case .badArgument(_, let argument, let wanted) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        // The value may be a token.
        let name = line.split(separator: ":", omittingEmptySubsequences: false)[0]
        #expect(["…", "\(name): …"].contains(argument) && !wanted.isEmpty)
    }

    @Test("Other headers are sent", arguments: ["X-A_b.c!#$%&'*+^`|~1:  x ", "Accept:", "Content-Type: a/b"])
    func usualHeaders(line: String) throws {
        let url = try #require(URL(string: "https://api.example/"))
        let request = try APIRequest(url, method: nil, headers: [line], data: nil).call().request
        #expect(request.headers.fields.contains { line.hasPrefix("\($0.name):") })
    }

    @Test("Of the URL of a redirect only the beginning is shown, without its query") func address() throws {
        let long = String(repeating: "x", count: 100_000)
        for location in ["/\(long)", "/a?code=\(long)", "/a#token=\(long)", "http://other.example/\(long)"] {
            let call = try call()
            let failure = #expect(throws: Failure.self) {
                let next = try call.following(redirect(302, to: location))
                throw Failure(.failed, name: "", next?.url.shown ?? "", nextStep: "")
            }
            let text = try #require(failure).reason
            #expect(text.count < 320 && text.contains("…") && !text.contains("="))
        }
        #expect(try #require(URL(string: "https://a.example/b")).shown == "https://a.example/b")
    }

    @Test("The eleventh redirect is a loop") func loop() throws {
        var call = try call()
        for _ in 1...10 { call = try #require(try call.following(redirect(302, to: "/loop"))) }
        #expect(throws: Failure.self) { try call.following(redirect(302, to: "/loop")) }
    }

    @Test(
        "Methods after a redirect",
        arguments: [(301, HTTPRequest.Method.get, 0), (303, .get, 0), (307, .post, 1), (308, .post, 1)])
    func method(_ status: Int, _ method: HTTPRequest.Method, _ bytes: Int) throws {
        let next = try #require(try call(.post, body: [1]).following(redirect(status, to: "/b")))
        #expect(next.method == method && next.body.count == bytes)
    }
}

/// A call as the terminal program shows it.
@Suite("A recorded API call") struct RecordedCallTests {
    /// An API that repeats the token it got, in its body.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            HTTPResponse(
                status: 403, headers: ["Content-Type": "application/json"],
                body: Array(#"{"iss":"\#(request.headers["Authorization"] ?? "")"}"#.utf8))
        }
    }

    @Test("The exchange has the API's direction, and the status says what to do") func recorded() async throws {
        let told = Locked<[MSALFlowExchange]>([])
        let answer = try await RecordedCall(transport: Echo(), time: ManualTime()).perform(
            nil, APITarget(address: "https://api.example/me"), { exchange in told.withLock { $0.append(exchange) } }
        ) { _ in nil }
        #expect(answer.status == 403 && answer.advice.hasPrefix("If the API needs a token"))
        #expect(told.withLock(\.self).map(\.direction) == [.resource])
    }

    @Test("Its body has no token that was sent, and no JSON Web Token") func tokens() async throws {
        struct Issuer: HTTPTransport {
            func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
                let body =
                    #"{"had":"\#(request.headers["Authorization"] ?? "")","new":"eyJhbGciOiJub25lIn0.e30.c2ln","a":1}"#
                return HTTPResponse(status: 200, body: Array(body.utf8))
            }
        }
        let answer = try await RecordedCall(transport: Issuer(), time: ManualTime()).perform(
            nil, APITarget(address: "https://api.example/me"), { _ in }
        ) { _ in try tokenResult("opaque") }
        #expect(answer.excerpt == [#"{"had":"Bearer [token]","new":"[token]","a":1}"#])
    }

    @Test(
        "Bad addresses and methods send nothing",
        arguments: [("GET", "http://api.example/me"), ("BREW", "https://api.example/me")])
    func rejected(_ method: String, _ address: String) async throws {
        let told = Locked(0)
        let report = await #expect(throws: Failure.self) {
            try await RecordedCall(transport: Echo(), time: ManualTime()).perform(
                nil, APITarget(method: method, address: address), { _ in told.withLock { $0 += 1 } }
            ) { _ in nil }
        }
        #expect(report?.headline == "The API call failed." && told.withLock(\.self) == 0)
    }
}

extension SignInTests {
    private func url(_ world: World, _ path: String) -> String {
        world.server.origin.appending(path: path).absoluteString
    }

    @Test("From the URL of an API to its response: one registration, one sign-in, one repeat")
    func call() async throws {
        try await withWorld { world in
            let rejected = await world.keyturn("call", url(world, "api/me"), "--no-interaction")
            #expect(rejected.exitCode == .interactionRequired, "\(rejected.errors)")
            #expect(rejected.output == "")
            #expect(rejected.errors.contains("--resource \(url(world, "api/me"))'"), "\(rejected.errors)")
            let called = await world.keyturn("call", url(world, "api/me"))
            #expect(called.exitCode == .done, "\(called.errors)")
            #expect(called.output.contains("\"username\":\"ann@contoso.example\""))
            #expect(called.errors.contains("HTTP 401") && called.errors.contains("HTTP 200"))
            #expect(!called.errors.contains("eyJ"))
            let again = await world.keyturn("call", url(world, "api/me"), "-X", "POST", "-d", "a=b")
            #expect(again.exitCode == .done && again.output.contains("\"bytes\":3"), "\(again.errors)")
            #expect(!again.errors.contains("HTTP 401"))
        }
    }

    @Test("An API that wants scopes and MFA gets a token with both") func stepUp() async throws {
        try await withWorld { world in
            let mail = await world.keyturn("call", "--profile", "demo", url(world, "api/mail"))
            #expect(mail.exitCode == .done && mail.output.contains("mail"), "\(mail.errors)")
            let rejected = await world.keyturn(
                "call", "--scope", "User.Read", "--no-interaction", url(world, "api/admin"))
            #expect(rejected.exitCode == .interactionRequired)
            #expect(
                rejected.errors.contains("Run the same command where the user can sign in: in a terminal"),
                "\(rejected.errors)")
            let admin = await world.keyturn("call", "--scope", "User.Read", url(world, "api/admin"))
            #expect(admin.exitCode == .done, "\(admin.errors)")
            #expect(admin.errors.contains("insufficient_"))
        }
    }

    @Test("Failures have a status, an error in JSON and no token") func callFailures() async throws {
        try await withWorld { world in
            let missing = await world.keyturn("call", "-o", "json", url(world, "nothing"))
            #expect(missing.exitCode == .failed && missing.output.contains("<html"), "\(missing.errors)")
            #expect(missing.errors.contains("\"name\":\"httpStatus\""))
            let plain = await world.keyturn("call", "http://api.example/x")
            #expect(plain.exitCode == .usage && plain.errors.contains("https"))
            let header = await world.keyturn("call", "-H", "Authorization: Bearer x", url(world, "api/me"))
            #expect(header.exitCode == .usage && !header.errors.contains("Bearer x"))
        }
    }

    @Test("The body goes to a file, byte for byte") func callFile() async throws {
        try await withWorld { world in
            let file = world.folder.path + "/body"
            let called = await world.keyturn("call", "-o", file, url(world, "api/me"))
            #expect(called.exitCode == .done && called.output == "", "\(called.errors)")
            let body = try String(contentsOfFile: file, encoding: .utf8)
            #expect(body.hasPrefix("{"))
        }
    }

    @Test("token --resource and sign-in --resource, with and without the cache") func resource() async throws {
        try await withWorld { world in
            let api = url(world, "api/me")
            #expect(
                await world.keyturn("token", "--resource", api, "--no-interaction").exitCode == .interactionRequired)
            let signedIn = await world.keyturn("sign-in", "--resource", api)
            #expect(signedIn.exitCode == .done, "\(signedIn.errors)")
            let token = await world.keyturn("token", "--resource", api, "--no-interaction", "-o", "header")
            #expect(token.exitCode == .done && token.output.hasPrefix("Authorization: Bearer eyJ"), "\(token.errors)")
        }
    }
}
