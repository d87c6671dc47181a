import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// How Entra authorities are validated, and what the developer's known authorities change (docs/upstream-behaviour.md
/// §2.1).
@Suite("Instance discovery") struct InstanceDiscoveryTests {
    private func resolver(_ transport: ScriptedTransport, known: [Authority]) throws -> AuthorityResolver {
        var dependencies = try World().dependencies
        dependencies.transport = transport
        return AuthorityResolver(
            metadata: MetadataSource(dependencies: dependencies), transport: transport,
            reporter: FlowReporter(log: dependencies.log()), knownAuthorities: Set(known))
    }

    private static func answering(_ status: Int, _ body: String) -> ScriptedTransport {
        let response = HTTPResponse(status: status, body: Array(body.utf8))
        let answer: ScriptedTransport.Answer = { (_: HTTPRequest) throws(TransportFailure) -> HTTPResponse in response }
        return ScriptedTransport([answer, answer])
    }

    private static let hosts: [(authority: String, isKnown: Bool, asked: String)] = [
        ("https://login.microsoftonline.com/common", false, "https://login.microsoftonline.com"),
        ("https://login.chinacloudapi.cn/contoso.example", false, "https://login.chinacloudapi.cn"),
        ("https://login.contoso.example/contoso", false, "https://login.microsoftonline.com"),
        ("https://login.contoso.example/contoso", true, "https://login.contoso.example"),
        ("http://127.0.0.1:8400/common", false, "http://127.0.0.1:8400"),
    ]

    @Test("Microsoft's hosts, known authorities and localhost need no instance discovery", arguments: hosts)
    func whoIsAsked(authority: String, isKnown: Bool, asked: String) async throws {
        let value = try AuthorityRules.aad(try #require(URL(string: authority)))
        let host = value.environment
        let transport = Self.answering(
            200,
            #"{"tenant_discovery_endpoint": "https://a.example/c", "metadata": [{"preferred_network": "n.example", "#
                + #""preferred_cache": "c.example", "aliases": ["\#(host)", "c.example"]}]}"#)
        let environments = try await resolver(transport, known: isKnown ? [value] : []).environments(of: value)
        #expect(transport.requests.map { $0.url.absoluteString.hasPrefix("\(asked)/common/discovery/") } == [true])
        #expect(environments.preferredNetwork == "n.example")
        #expect(environments.preferredCache == "c.example")
        #expect(environments.all == ["c.example", host])
    }

    private static let rejections: [(status: Int, body: String, isKnown: Bool, isUsed: Bool)] = [
        (400, #"{"error": "invalid_instance", "error_description": "no"}"#, false, false),
        (400, #"{"error": "invalid_instance", "error_description": "no"}"#, true, true),
        (500, "", false, false),
        (404, "not here", true, true),
        (200, "not JSON", false, false),
        (200, "not JSON", true, true),
    ]

    @Test("An unknown authority must be confirmed by discovery; a known one is used as it is", arguments: rejections)
    func rejected(status: Int, body: String, isKnown: Bool, isUsed: Bool) async throws {
        let value = try AuthorityRules.aad(try #require(URL(string: "https://login.contoso.example/contoso")))
        let resolver = try resolver(Self.answering(status, body), known: isKnown ? [value] : [])
        if isUsed {
            #expect(try await resolver.environments(of: value).all == ["login.contoso.example"])
        } else {
            await #expect(throws: AuthenticationFailure.self) { _ = try await resolver.environments(of: value) }
        }
    }

    @Test("A known authority of another type or tenant confirms nothing") func otherKnown() async throws {
        let url = try #require(URL(string: "https://login.contoso.example/contoso"))
        let other = try #require(URL(string: "https://login.contoso.example/fabrikam"))
        let value = try AuthorityRules.aad(url)
        let known = [try AuthorityRules.aad(other), try AuthorityRules.openID(url), try AuthorityRules.ciam(url)]
        let transport = Self.answering(400, #"{"error": "invalid_instance"}"#)
        let resolver = try resolver(transport, known: known)
        await #expect(throws: AuthenticationFailure.authority(.metadata(url, .unknownInstance))) {
            _ = try await resolver.environments(of: value)
        }
        #expect(transport.requests.first?.url.host() == "login.microsoftonline.com")
    }
}
