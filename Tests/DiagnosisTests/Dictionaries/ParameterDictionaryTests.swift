import Foundation
import JSON
import MSAL
import OAuthCore
import Testing

@testable import Diagnosis

@Suite("Parameter dictionary")
struct ParameterDictionaryTests {
    @Test("Each role of an exchange has its words", arguments: Exchange.Role.allCases)
    func roles(role: Exchange.Role) {
        #expect(
            !role.name.isEmpty && !role.label.isEmpty && ParameterDictionary.roles.count == Exchange.Role.allCases.count
        )
    }

    @Test("Each step of a flow has its title", arguments: MSALFlowEvent.Step.allCases)
    func events(step: MSALFlowEvent.Step) { #expect(ParameterDictionary.events[step.rawValue]?.string == step.title) }

    @Test("Each change of a request is complete")
    func changes() {
        #expect(WhatIf.all.count == ParameterDictionary.changes.count && WhatIf.all.allSatisfy { !$0.edits.isEmpty })
        let edits = ParameterDictionary.changes.map { $0["edits"]?.array?.count ?? 0 }
        #expect(WhatIf.all.map(\.edits.count) == edits)
        let roles = ParameterDictionary.changes.map { $0["roles"]?.array?.count ?? 0 }
        #expect(WhatIf.all.map(\.roles.count) == roles)
    }

    @Test("Meanings are one plain sentence", arguments: ParameterDictionary.bundled.names)
    func sentences(name: String) throws {
        let entry = try #require(ParameterDictionary.bundled.entry(forParameter: name))
        #expect(entry.meaning.last == "." && entry.meaning.first?.isUppercase == true && entry.meaning.count < 140)
        #expect(!entry.source.isEmpty)
    }

    @Test func everyParameterOfAnAuthorizationRequestIsExplained() throws {
        var request = AuthorizationRequest(
            endpoint: try #require(URL(string: "https://login.example/authorize")), clientID: "c",
            redirectURI: "http://localhost", scopes: Scopes(["openid"]), state: "s", nonce: "n", codeChallenge: "x")
        request.prompt = .login
        (request.loginHint, request.domainHint, request.claims) = ("a", "b", "{}")
        (request.maximumAge, request.isInstanceAware, request.prefersQRPIN) = (1, true, true)
        request.correlationID = UUID()
        request.slice = ["slice": "s", "dc": "d"]
        request.clientMetadata = ["x-client-SKU": "m"]
        let names = request.parameters.pairs.map(\.name)
        #expect(names.count > 20)
        for name in names { #expect(ParameterDictionary.bundled.entry(forParameter: name) != nil, "\(name)") }
    }

    @Test(
        "Header fields are found in any letter case",
        arguments: ["Authorization", "SET-COOKIE", "client-request-id", "X-Client-SKU", "Retry-After"])
    func headers(name: String) {
        #expect(ParameterDictionary.bundled.entry(forHeader: name) != nil)
        #expect(ParameterDictionary.bundled.entry(forHeader: "wholly-unknown") == nil)
    }

    @Test func anInvalidFileIsRejected() {
        #expect(throws: (any Error).self) { try ParameterDictionary(["a": 1]) }
    }
}
