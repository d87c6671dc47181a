import Diagnosis
import Foundation
import MSAL
import Testing

@testable import Console

@Suite("Explanations of exchanges and parameters")
struct ExchangeMeaningTests {
    private static let dictionary = ParameterDictionary.bundled

    @Test("Every step is explained", arguments: ExchangePurpose.allCases)
    func steps(purpose: ExchangePurpose) {
        #expect(Self.dictionary.entry(for: purpose) != nil)
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
        "An exchange states its purpose",
        arguments: [
            (discoveryExchange, ExchangePurpose.openIDConfiguration), (authorizationExchange, .authorizationRequest),
            (answerExchange, .authorizationResponse), (tokenExchange, .authorizationCodeGrant),
            (unreachableExchange, .openIDConfiguration), (wideExchange, .other),
        ])
    func purpose(exchange: MSALFlowExchange, purpose: ExchangePurpose) {
        #expect(ExchangePurpose(exchange) == purpose)
    }

    @Test("Only a response with nothing but a state ends a sign-out")
    func responses() {
        for (names, purpose) in [
            (["state"], ExchangePurpose.endSessionResponse), (["state", "iss"], .authorizationResponse),
            (["state", "code"], .authorizationResponse), (["error"], .authorizationResponse),
        ] {
            let exchange = MSALFlowExchange(
                number: 1, direction: .frontChannelResponse, correlationId: UUID(), startDate: testTime,
                address: "http://localhost:40711/",
                parameters: names.map { MSALFlowParameter(name: $0, place: .query, value: "x") })
            #expect(ExchangePurpose(exchange) == purpose)
        }
    }

    @Test func userinfoIsExplainedAsClaims() {
        let email = MSALFlowParameter(name: "email", place: .responseBody, value: "")
        #expect(Self.dictionary.entry(for: email)?.source == "OpenID Connect Core 1.0")
        #expect(Self.dictionary.entry(for: MSALFlowParameter(name: "email", place: .query, value: "")) == nil)
    }
}
