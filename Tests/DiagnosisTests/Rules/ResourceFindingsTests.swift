import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import OAuthCore
import TestSupport
import Testing

/// A resource and its authorization server by the responses at each URL. Everything else is 404.
private struct Site: HTTPTransport {
    static let resource = "https://api.example/mcp"
    static let metadata = "https://api.example/.well-known/oauth-protected-resource/mcp"
    static let rootMetadata = "https://api.example/.well-known/oauth-protected-resource"
    static let server = "https://id.example/.well-known/oauth-authorization-server"
    static let openID = "https://id.example/.well-known/openid-configuration"

    var responses: [String: HTTPResponse] = [:]
    var unreachable: Set<String> = []
    let sent = Locked<[HTTPRequest]>([])

    init() {
        challenge(#"Bearer resource_metadata="\#(Self.metadata)""#)
        serve(
            Self.metadata,
            [
                "resource": .string(Self.resource), "authorization_servers": ["https://id.example"],
                "scopes_supported": ["a"],
            ])
        serve(
            Self.server,
            [
                "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
                "token_endpoint": "https://id.example/token", "registration_endpoint": "https://id.example/register",
                "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
                "authorization_response_iss_parameter_supported": true, "scopes_supported": ["a", "b"],
            ])
    }

    mutating func challenge(_ fields: String..., status: Int = 401) {
        var headers = HTTPHeaders()
        for field in fields { headers.append("WWW-Authenticate", field) }
        responses[Self.resource] = HTTPResponse(status: status, headers: headers)
    }

    mutating func serve(_ url: String, _ members: [String: JSONValue]) {
        serve(url, text: JSONValue.object(members).serialized)
    }

    mutating func serve(_ url: String, text: String, type: String = "application/json", status: Int = 200) {
        responses[url] = HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(text.utf8))
    }

    /// Changes members of the document at a URL; `null` removes one.
    mutating func change(_ url: String, _ members: [String: JSONValue]) {
        let old = responses[url].flatMap { try? JSONValue(parsing: $0.body).object } ?? [:]
        serve(url, old.merging(members) { $1 }.filter { $0.value != .null })
    }

    mutating func move(_ url: String, to other: String) { responses[other] = responses.removeValue(forKey: url) }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        if unreachable.contains(request.url.lowercasedHost) {
            throw TransportFailure(.timedOut, reason: "No response in 10 s.")
        }
        return responses[request.url.absoluteString] ?? HTTPResponse(status: 404)
    }

    func probe(_ url: String = resource, clientID: String = "") async throws -> MSALResourceProbe {
        var dependencies = try World().dependencies
        dependencies.transport = self
        let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
        configuration.use(ApplicationWorld(registration: World.registration, dependencies: dependencies))
        return await MSALPublicClientApplication.probeResource(
            at: try #require(URL(string: url)), configuration: configuration)
    }
}

@Suite("What a client trips over at a resource") struct ResourceFindingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        fileprivate var name: String
        fileprivate var subject: String
        fileprivate var verdict: CheckFinding.Verdict
        fileprivate var words: String
        fileprivate var change: @Sendable (inout Site) -> Void

        fileprivate init(
            _ name: String, _ subject: String, _ verdict: CheckFinding.Verdict, _ words: String,
            _ change: @escaping @Sendable (inout Site) -> Void
        ) {
            (self.name, self.subject, self.verdict, self.words, self.change) = (name, subject, verdict, words, change)
        }

        var testDescription: String { name }
    }

    private func text(_ findings: [CheckFinding]) -> String {
        findings.map { "\($0.verdict) \($0.subject): \($0.fact) -> \($0.fix ?? "")" }.joined(separator: "\n")
    }

    @Test("A healthy server passes, each metadata place is asked once, and nothing is registered") func healthy()
        async throws
    {
        let site = Site()
        let probe = try await site.probe()
        let findings = ResourceFindings(probe).all
        #expect(probe.failure == nil)
        #expect(findings.allSatisfy { [.passed, .skipped].contains($0.verdict) }, "\(text(findings))")
        #expect(
            findings.map(\.subject) == [
                "Challenge", "Resource metadata", "Authorization server", "Authority metadata", "Client registration",
                "Public clients", "PKCE", "Issuer in responses", "Scopes", "Loopback redirect", "Resource indicator",
            ])
        #expect(
            site.sent.withLock { $0.map { "\($0.method.rawValue) \($0.url.absoluteString)" } } == [
                "GET \(Site.resource)", "GET \(Site.metadata)", "GET \(Site.server)", "GET \(Site.rootMetadata)",
                "GET \(Site.openID)",
            ])
    }

    private static let challenges = [
        Row("no challenge", "Challenge", .warning, "RFC 9110 §15.5.2") { $0.challenge() },
        Row("Basic alone", "Challenge", .warning, #"only "Basic""#) { $0.challenge(#"Basic realm="x""#) },
        Row("DPoP alone", "Challenge", .failed, "RFC 6750 §3") { $0.challenge(#"DPoP algs="ES256""#) },
        Row("no resource_metadata", "Challenge", .warning, "RFC 9728 §5.1") { $0.challenge(#"Bearer realm="x""#) },
        Row("403", "Challenge", .warning, "RFC 6750 §3.1") { $0.challenge("Bearer", status: 403) },
        Row("405", "Challenge", .skipped, "HTTP 405") { $0.challenge(status: 405) },
        Row("404", "Challenge", .warning, "HTTP 404 instead of 401") { $0.challenge(status: 404) },
        Row("503", "Challenge", .warning, "HTTP 503") { $0.challenge(status: 503) },
        Row("an open resource", "Challenge", .warning, "HTTP 200 without a token") { $0.challenge(status: 200) },
        Row("an open resource without metadata", "Challenge", .failed, "HTTP 200 without a token") {
            $0.challenge(status: 200)
            $0.responses[Site.metadata] = nil
        },
        Row("a redirect to a page", "Challenge", .failed, "Redirects to https://login.example/start") {
            $0.responses = [
                Site.resource: HTTPResponse(status: 302, headers: ["Location": "https://login.example/start"])
            ]
        },
        Row("resource_metadata twice", "Challenge", .warning, "RFC 9110 §11.2") {
            $0.challenge(#"Bearer resource_metadata="\#(Site.metadata)", resource_metadata="\#(Site.metadata)""#)
        },
        Row("a comma after the scheme", "Challenge", .warning, "a comma after the scheme") {
            $0.challenge(#"Bearer, resource_metadata="\#(Site.metadata)""#)
        },
        Row("single quotes", "Challenge", .warning, "single quotation marks") {
            $0.challenge("Bearer resource_metadata='\(Site.metadata)'")
        },
        Row("no quotes", "Challenge", .warning, "needs quotation marks") {
            $0.challenge("Bearer resource_metadata=\(Site.metadata)")
        },
        Row("no comma", "Challenge", .warning, "no comma") {
            $0.challenge(#"Bearer realm="x" resource_metadata="\#(Site.metadata)""#)
        },
        Row("an error without a token", "Challenge", .warning, #"error="invalid_token""#) {
            $0.challenge(#"Bearer error="invalid_token", resource_metadata="\#(Site.metadata)""#)
        },
        Row("too many parameters", "Challenge", .failed, "64 parameters") {
            $0.challenge("Bearer " + (0..<100).map { "p\($0)=x" }.joined(separator: ", "))
        },
    ]

    private static let metadata = [
        Row("http for the metadata", "Resource metadata", .failed, "RFC 9728 §7.7") {
            $0.challenge(#"Bearer resource_metadata="http://api.example/meta""#)
        },
        Row("a loopback address", "Resource metadata", .failed, "127.0.0.1:3000") {
            $0.challenge(#"Bearer resource_metadata="https://127.0.0.1:3000/meta""#)
        },
        Row("a private address", "Resource metadata", .failed, "169.254.169.254") {
            $0.challenge(#"Bearer resource_metadata="https://169.254.169.254/latest""#)
        },
        Row("no metadata", "Resource metadata", .failed, "HTTP 404") { $0.responses[Site.metadata] = nil },
        Row("protected metadata", "Resource metadata", .failed, "HTTP 401") {
            $0.serve(Site.metadata, text: "", status: 401)
        },
        Row("the appended place", "Resource metadata", .failed, "/mcp/.well-known/oauth-protected-resource, where") {
            $0.move(Site.metadata, to: "https://api.example/mcp/.well-known/oauth-protected-resource")
        },
        Row("a page instead of metadata", "Resource metadata", .failed, "a web page") {
            $0.serve(Site.metadata, text: "<html>", type: "text/html")
        },
        Row("the resource as its metadata", "Resource metadata", .warning, "no metadata: HTTP 401") {
            $0.challenge(#"Bearer resource_metadata="\#(Site.resource)""#)
        },
        Row("redirected metadata", "Resource metadata", .failed, "a redirect to https://elsewhere.example/x") {
            $0.responses[Site.metadata] = HTTPResponse(
                status: 301, headers: ["Location": "https://elsewhere.example/x"])
        },
        Row("a wrong type", "Resource metadata", .warning, "RFC 9728 §3.2") {
            $0.move(Site.metadata, to: "x")
            $0.serve(Site.metadata, text: $0.responses["x"]?.text ?? "", type: "text/plain")
        },
        Row("resource missing", "Resource metadata", .failed, "resource is missing") {
            $0.change(Site.metadata, ["resource": .null])
        },
        Row("another resource", "Resource metadata", .failed, "RFC 9728 §3.3") {
            $0.change(Site.metadata, ["resource": "https://api.example/other"])
        },
        Row("a sibling with the same beginning", "Resource metadata", .failed, "RFC 9728 §3.3") {
            $0.change(Site.metadata, ["resource": "https://api.example/mc"])
        },
        Row("a parent", "Resource metadata", .warning, "a parent of") {
            $0.change(Site.metadata, ["resource": "https://api.example"])
        },
        Row("a slash at the end", "Resource metadata", .warning, "differs from") {
            $0.change(Site.metadata, ["resource": "https://api.example/mcp/"])
        },
        Row("no Authorization header", "Resource metadata", .failed, "Authorization header") {
            $0.change(Site.metadata, ["bearer_methods_supported": ["query"]])
        },
        Row("DPoP required", "Resource metadata", .failed, "DPoP") {
            $0.change(Site.metadata, ["dpop_bound_access_tokens_required": true])
        },
        Row("two documents", "Resource metadata", .warning, "names other authorities") {
            $0.serve(
                Site.rootMetadata,
                ["resource": "https://api.example", "authorization_servers": ["https://old.example"]])
        },
        Row("no authority", "Authorization server", .failed, "Authorization Server Location") {
            $0.change(Site.metadata, ["authorization_servers": []])
        },
        Row("an http authority", "Authorization server", .failed, "RFC 8414 §2") {
            $0.change(Site.metadata, ["authorization_servers": ["http://id.example"]])
        },
        Row("an authority on the developer's machine", "Authorization server", .failed, "localhost:9000") {
            $0.change(Site.metadata, ["authorization_servers": ["https://localhost:9000"]])
        },
        Row("an authority without a scheme", "Authorization server", .failed, "isn't a safe issuer") {
            $0.change(Site.metadata, ["authorization_servers": ["id.example"]])
        },
        Row("the first authority is down", "Authorization server", .warning, "is unavailable") {
            $0.change(Site.metadata, ["authorization_servers": ["https://down.example", "https://id.example"]])
            $0.unreachable = ["down.example"]
        },
    ]

    private static let servers = [
        Row("no server metadata", "Authority metadata", .failed, "HTTP 404") { $0.responses[Site.server] = nil },
        Row("another issuer", "Authority metadata", .failed, "RFC 8414 §3.3") {
            $0.change(Site.server, ["issuer": "https://other.example"])
        },
        Row("an issuer with a slash", "Authority metadata", .warning, "RFC 8414 §3.3") {
            $0.change(Site.server, ["issuer": "https://id.example/"])
        },
        Row("OpenID alone", "Authority metadata", .warning, "Found only at \(Site.openID)") {
            $0.move(Site.server, to: Site.openID)
        },
        Row("two different documents", "Authority metadata", .warning, "differ in registration_endpoint") {
            $0.responses[Site.openID] = $0.responses[Site.server]
            $0.change(Site.openID, ["registration_endpoint": .null])
        },
        Row("no token endpoint", "Authority metadata", .failed, "token_endpoint is missing") {
            $0.change(Site.server, ["token_endpoint": .null])
        },
        Row("an http endpoint", "Authority metadata", .failed, "token_endpoint is not a usable URL") {
            $0.change(Site.server, ["token_endpoint": "http://id.example/token"])
        },
        Row("a loopback endpoint", "Authority metadata", .failed, "https://localhost/authorize") {
            $0.change(Site.server, ["authorization_endpoint": "https://localhost/authorize"])
        },
        Row("a page", "Authority metadata", .failed, "a web page") {
            $0.serve(Site.server, text: "<!doctype html>", type: "text/html")
        },
        Row("an unusable registration endpoint", "Authority metadata", .warning, "registration_endpoint") {
            $0.change(
                Site.server,
                ["registration_endpoint": "http://id.example/r", "client_id_metadata_document_supported": true])
        },
        Row("no registration", "Client registration", .failed, "RFC 7591 §3") {
            $0.change(Site.server, ["registration_endpoint": .null])
        },
        Row("metadata documents alone", "Client registration", .failed, "client_id_metadata_document_supported") {
            $0.change(Site.server, ["registration_endpoint": .null, "client_id_metadata_document_supported": true])
        },
        Row("secrets alone", "Public clients", .warning, "client_secret_basic") {
            $0.change(Site.server, ["token_endpoint_auth_methods_supported": ["client_secret_basic"]])
        },
        Row("no methods", "Public clients", .skipped, "RFC 8414 §2") {
            $0.change(Site.server, ["token_endpoint_auth_methods_supported": .null])
        },
        Row("no PKCE methods", "PKCE", .warning, "MCP clients must stop") {
            $0.change(Site.server, ["code_challenge_methods_supported": .null])
        },
        Row("plain PKCE", "PKCE", .failed, "RFC 7636") {
            $0.change(Site.server, ["code_challenge_methods_supported": ["plain"]])
        },
        Row("no response types", "Grants", .warning, "response_types_supported is missing") {
            $0.change(Site.server, ["response_types_supported": .null])
        },
        Row("no refresh tokens", "Grants", .warning, "lacks refresh_token") {
            $0.change(Site.server, ["grant_types_supported": ["authorization_code"]])
        },
        Row("no iss", "Issuer in responses", .warning, "RFC 9207 §3") {
            $0.change(Site.server, ["authorization_response_iss_parameter_supported": .null])
        },
        Row("a scope that the authority lacks", "Scopes", .warning, "invalid_scope") {
            $0.challenge(#"Bearer scope="c", resource_metadata="\#(Site.metadata)""#)
        },
    ]

    @Test(
        "Each deviation has its finding, and one fails exactly if a sign-in would",
        arguments: challenges + metadata + servers)
    func deviation(row: Row) async throws {
        var site = Site()
        row.change(&site)
        let probe = try await site.probe()
        let findings = ResourceFindings(probe).all
        let named = findings.filter { $0.subject == row.subject && $0.fact.contains(row.words) }
        #expect(named.map(\.verdict) == [row.verdict], "\(text(findings))")
        for finding in findings where [.warning, .failed].contains(finding.verdict) {
            #expect(finding.fix != nil && finding.fact.contains(#/§|\(MCP |HTTP|client_id_metadata/#), "\(finding)")
        }
        #expect(
            (findings.worst == .failed) == (probe.failure != nil),
            "\(probe.failure?.localizedDescription ?? "a sign-in works")\n\(text(findings))")
        #expect(site.sent.withLock { $0.allSatisfy { $0.method == .get } })
    }

    @Test("Microsoft Entra ID and the parameter resource") func entra() async throws {
        var site = Site()
        let issuer = "https://login.microsoftonline.com/t/v2.0"
        site.change(Site.metadata, ["authorization_servers": [.string(issuer)]])
        site.change(Site.server, ["issuer": .string(issuer)])
        site.move(Site.server, to: "\(issuer)/.well-known/openid-configuration")
        let findings = ResourceFindings(try await site.probe()).all
        #expect(
            findings.contains { $0.subject == "Resource indicator" && $0.fact.contains("AADSTS9010010") },
            "\(text(findings))")
    }

    @Test("A configured client needs no registration") func configured() async throws {
        var site = Site()
        site.change(Site.metadata, ["authorization_servers": ["https://login.microsoftonline.com/common"]])
        let probe = try await site.probe(clientID: "6731de76-14a6-49ae-97bc-6eba6914391e")
        #expect(probe.resource?.clientId.isEmpty == false && probe.failure == nil)
        // The configured authority is found by its own rules, so other clients' problems are warnings here.
        let findings = ResourceFindings(probe).all
        #expect(findings.worst == .warning, "\(text(findings))")
        #expect(findings.contains { $0.subject == "Authority metadata" && $0.verdict == .warning })
    }

    @Test("Of a managed server's authority, only what the assertion needs is judged", arguments: [true, false])
    func managed(acceptsAssertions: Bool) async throws {
        var site = Site()
        let grants = ["authorization_code"] + (acceptsAssertions ? ["urn:ietf:params:oauth:grant-type:jwt-bearer"] : [])
        site.change(Site.server, ["grant_types_supported": .array(grants.map(JSONValue.string))])
        let findings = ResourceFindings(try await site.probe(), isManaged: true).all
        #expect(findings.contains { $0.subject == "Grants" && $0.verdict == .warning } == !acceptsAssertions)
        #expect(!findings.contains { $0.subject == "PKCE" || $0.subject == "Loopback redirect" }, "\(text(findings))")
    }

    @Test("The root of a host may describe another resource with another authority") func sharedHost() async throws {
        var site = Site()
        site.serve(
            Site.rootMetadata,
            ["resource": "https://api.example/other", "authorization_servers": ["https://old.example"]])
        #expect(ResourceFindings(try await site.probe()).all.worst == .passed)
    }

    @Test("Server texts reach a finding without control characters, quotation marks and excess length")
    func hostileText() async throws {
        var site = Site()
        let evil = "https://id.example/\u{1b}[2J\"\u{202e}" + String(repeating: "x", count: 10_000)
        site.change(Site.metadata, ["resource": .string(evil), "authorization_servers": [.string(evil)]])
        site.challenge("Bearer error=\"\u{1b}]0;x\u{7}\", resource_metadata=\"http://\u{1b}[31m\"")
        for finding in ResourceFindings(try await site.probe()).all {
            #expect(finding.fact == finding.fact.withoutControls && finding.fact.count < 1000, "\(finding.fact)")
        }
    }

    @Test("A server that doesn't respond gets one request") func silent() async throws {
        var site = Site()
        site.unreachable = ["api.example"]
        let probe = try await site.probe()
        #expect(probe.failure != nil && site.sent.withLock { $0.count } == 1)
    }

    @Test(
        "No request goes to a URL that isn't a resource",
        arguments: ["http://api.example/mcp", "https://api.example/#x"])
    func notAResource(url: String) async throws {
        let site = Site()
        #expect(try await site.probe(url).failure != nil && site.sent.withLock(\.isEmpty))
    }
}
