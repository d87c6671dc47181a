import Diagnosis
import Foundation
import MSAL
import Testing

@testable import Console

@Suite("Explanations of exchanges and parameters")
struct ExchangeMeaningTests {
    private static let dictionary = ParameterDictionary.bundled

    /// Roles that only the requests of other programs have.
    private static let foreign: Set<Exchange.Role> = [.discovery, .page, .preflight, .message]

    @Test("Every step of an own flow is explained", arguments: Exchange.Role.allCases)
    func steps(role: Exchange.Role) {
        #expect((Self.dictionary.entry(for: role) == nil) == Self.foreign.contains(role))
    }

    @Test(
        "Every parameter that this program sends or receives is explained",
        arguments: signInExchanges + [rejectedExchange])
    func sent(exchange: MSALFlowExchange) {
        for parameter in exchange.parameters where parameter.name != "made_up" {
            #expect(Self.dictionary.entry(for: parameter) != nil, "\(parameter.name)")
        }
    }

    @Test(
        "An exchange states its role",
        arguments: [
            (discoveryExchange, Exchange.Role.openIDMetadata), (authorizationExchange, .authorize),
            (answerExchange, .response), (tokenExchange, .codeGrant),
            (unreachableExchange, .openIDMetadata), (wideExchange, .other),
        ])
    func role(exchange: MSALFlowExchange, role: Exchange.Role) {
        #expect(exchange.role == role)
    }

    @Test("Only a response with nothing but a state ends a sign-out")
    func responses() {
        for (names, role) in [
            (["state"], Exchange.Role.signedOut), (["state", "iss"], .response), (["state", "code"], .response),
            (["error"], .response),
        ] {
            let exchange = MSALFlowExchange(
                number: 1, direction: .frontChannelResponse, correlationId: UUID(), startDate: testTime,
                address: "http://localhost:40711/",
                parameters: names.map { MSALFlowParameter(name: $0, place: .query, value: "x") })
            #expect(exchange.role == role)
        }
    }

    @Test func userinfoIsExplainedAsClaims() {
        let email = MSALFlowParameter(name: "email", place: .responseBody, value: "")
        #expect(Self.dictionary.entry(for: email)?.source == "OpenID Connect Core 1.0")
        #expect(Self.dictionary.entry(for: MSALFlowParameter(name: "email", place: .query, value: "")) == nil)
    }
}
