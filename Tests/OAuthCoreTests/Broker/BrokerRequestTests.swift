import Foundation
import OAuthCore
import Testing

/// Requests to the broker, member by member (docs/upstream-behaviour.md §13).
@Suite struct BrokerRequestTests {
    private static let listed: JSONValue = [
        "homeAccountId": "oid.tid", "username": "ann@contoso.example", "environment": "login.windows.net",
        "realm": "tid", "localAccountId": "oid", "passwordExpiry": 0,
    ]

    private func request(_ change: (inout BrokerTokenRequest) -> Void = { _ in }) throws -> BrokerTokenRequest {
        var request = BrokerTokenRequest(
            authority: try #require(URL(string: "https://login.microsoftonline.com/common")), clientID: "client",
            scopes: ["User.Read", "openid"])
        change(&request)
        return request
    }

    private let common: [String: JSONValue] = [
        "authority": "https://login.microsoftonline.com/common", "clientId": "client",
        "redirectUri": "https://login.microsoftonline.com/common/oauth2/nativeclient",
        "requestedScopes": ["User.Read", "openid"], "additionalQueryParametersForAuthorization": [:],
        "uxContextHandle": -1,
    ]

    @Test func aSilentRequestNamesTheAccountAsListed() throws {
        let account = BrokerAccount(Self.listed)
        let silent = try request { $0.account = account }.silent
        #expect(silent.method.rawValue == "acquireTokenSilently")
        let expected = common.merging([
            "authorizationType": 1, "account": Self.listed, "username": "ann@contoso.example",
        ]) { $1 }
        #expect(silent.body == ["authParameters": .object(expected)])
    }

    @Test func anInteractiveRequestHasItsOwnType() throws {
        let interactive = try request { $0.username = "ann@contoso.example" }.interactive
        #expect(interactive.method.rawValue == "acquireTokenInteractively")
        let expected = common.merging(["authorizationType": 6, "username": "ann@contoso.example"]) { $1 }
        #expect(interactive.body == ["authParameters": .object(expected)])
    }

    @Test func anAccountChoiceSendsNoAccount() throws {
        let account = BrokerAccount(Self.listed)
        let parameters = try request {
            $0.account = account
            $0.username = "ann"
            $0.prompt = .selectAccount
        }.interactive.body["authParameters"]
        #expect(parameters?["prompt"] == "select_account")
        #expect(parameters?["account"] == nil)
        #expect(parameters?["username"] == nil)
    }

    @Test func optionalParameters() throws {
        let parameters = try request {
            $0.prompt = .login
            $0.claims = #"{"id_token":{"acr":null}}"#
            $0.accessTokenToRefresh = Secret("old")
            $0.extraQueryParameters = ["domain_hint": "contoso.example"]
        }.interactive.body["authParameters"]
        #expect(parameters?["prompt"] == "login")
        #expect(parameters?["decodedClaims"] == #"{"id_token":{"acr":null}}"#)
        #expect(parameters?["accessTokenToRenew"] == "old")
        #expect(parameters?["additionalQueryParametersForAuthorization"] == ["domain_hint": "contoso.example"])
    }

    @Test func theOtherRequests() throws {
        let redirect: JSONValue = "https://login.microsoftonline.com/common/oauth2/nativeclient"
        #expect(BrokerRequest.accounts(clientID: "client").body == ["clientId": "client", "redirectUri": redirect])
        #expect(BrokerRequest.version.body == ["msalCppVersion": "1.0"])
        let account = try #require(BrokerAccount(Self.listed))
        #expect(
            BrokerRequest.remove(account, clientID: "client").body == ["clientId": "client", "account": Self.listed])
        #expect(BrokerRequest.cancel(clientID: "client").method.rawValue == "cancelInteractiveFlow")
        #expect(BrokerRequest.protocolVersion == "0.0")
    }
}
