import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A world with an empty cache and a broker that has Ann's tokens. The test fails if the browser opens.
struct BrokeredWorld {
    var world: World
    /// The authority's earlier token response for Ann, which the broker returns again.
    let tokens: MSALResult

    init() async throws {
        var world = try World()
        world.seat(.ann)
        let application = try world.application()
        tokens = try await application.acquireToken(with: Self.parameters())
        let everything = MSALSignoutParameters()
        everything.wipeCacheForAllAccounts = true
        try await application.signout(with: tokens.account, signoutParameters: everything)
        world.browser = ForbiddenBrowser()
        self.world = world
    }

    static func parameters(_ log: EventLog? = nil) -> MSALInteractiveTokenParameters {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        parameters.flowEventHandler = log?.handler
        return parameters
    }

    func application(
        change: (MSALPublicClientApplicationConfig) throws -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        try world.application {
            $0.linuxBrokerEnabled = true
            try change($0)
        }
    }

    var accountJSON: JSONValue {
        [
            "homeAccountId": .string(tokens.account.identifier ?? ""), "username": "ann@contoso.example",
            "localAccountId": .string(tokens.tenantProfile.identifier ?? ""), "name": "Ann",
            "realm": .string(tokens.tenantProfile.tenantId ?? ""), "environment": "login.windows.net",
        ]
    }

    var accountsAnswer: String { JSONValue.object(["accounts": [accountJSON]]).serialized }

    /// - Parameter change: Changes the broker's behaviour.
    func tokenAnswer(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> String {
        var response: [String: JSONValue] = [
            "accessToken": .string(tokens.accessToken), "accessTokenType": 0, "grantedScopes": "User.Read",
            "expiresOn": .integer(Int64((tokens.expiresOn?.timeIntervalSince1970 ?? 0) * 1000)),
            "account": accountJSON,
        ]
        response["idToken"] = tokens.idToken.map(JSONValue.string)
        change(&response)
        return JSONValue.object(["brokerTokenResponse": .object(response)]).serialized
    }

    /// Starts the broker; `other` replaces its response when it returns a text.
    func run(_ other: @escaping ScriptedBroker.Script = { _ throws(BrokerFailure) in "" }) {
        let (accounts, tokens) = (accountsAnswer, tokenAnswer())
        world.broker.run { request throws(BrokerFailure) in
            let text = try await other(request)
            guard text.isEmpty else { return text }
            switch request.method {
            case .getAccounts: return accounts
            case .acquireTokenSilently, .acquireTokenInteractively: return tokens
            case .getLinuxBrokerVersion: return #"{"linuxBrokerVersion":"2.0.1"}"#
            case .removeAccount, .cancelInteractiveFlow: return "{}"
            }
        }
    }

    /// Starts a broker whose calls last until they are cancelled.
    func runUntilCancelled() {
        world.broker.run { _ throws(BrokerFailure) in
            try? await wait(until: "the broker's call is cancelled") { Task.isCancelled }
            throw BrokerFailure(.cancelled, reason: "The call was cancelled.")
        }
    }

    func silent(_ application: MSALPublicClientApplication, _ log: EventLog? = nil) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: tokens.account)
        parameters.flowEventHandler = log?.handler
        return try await application.acquireTokenSilent(with: parameters)
    }
}
